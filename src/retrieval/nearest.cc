#include "retrieval/nearest.h"

#include <utility>

#include "retrieval/ranked_targets.h"
#include "space/common_space_state.h"

namespace wordbridge {

Candidates Nearest::best(ConstMatrixView queries, std::size_t count) const {
  const TableSearch& search = space_.state().search(other(asking_));
  require_dimension(queries, search.table());
  return to_candidates(search.search(queries, count));
}

}  // namespace wordbridge
