#include "retrieval/nearest.h"

#include <utility>

#include "space/common_space_state.h"

namespace wordbridge {

Candidates Nearest::best(ConstMatrixView queries, std::size_t count) const {
  const TableSearch& search = space_.state().search(other(asking_));
  require_dimension(queries, search.table());
  Neighbors neighbors = search.search(queries, count);
  Candidates candidates;
  candidates.queries = neighbors.queries;
  candidates.found = neighbors.found;
  candidates.targets = std::move(neighbors.ids);
  candidates.scores.assign(neighbors.scores.begin(), neighbors.scores.end());
  return candidates;
}

}  // namespace wordbridge
