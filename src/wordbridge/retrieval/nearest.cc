#include "wordbridge/retrieval/nearest.h"

namespace wordbridge {

Nearest::Nearest(ConstMatrixView targets) : search_(targets) {}

Candidates Nearest::best(ConstMatrixView queries, std::size_t count) {
  Neighbors neighbors = search_.search(queries, count);
  Candidates candidates;
  candidates.queries = neighbors.queries;
  candidates.found = neighbors.found;
  candidates.targets = std::move(neighbors.ids);
  candidates.scores.assign(neighbors.scores.begin(), neighbors.scores.end());
  return candidates;
}

}  // namespace wordbridge
