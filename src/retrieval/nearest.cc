#include "retrieval/nearest.h"

#include <utility>

#include "retrieval/ranked_targets.h"
#include "space/common_space_state.h"
#include "space/sharded_space.h"

namespace wordbridge {

Candidates Nearest::best(ConstMatrixView queries, std::size_t count) const {
  const Side answering = other(asking_);
  const ShardedSearch search = space_ ? ShardedSearch(space_->state().search(answering)) : sharded_->search(answering);
  require_dimension(queries, search.table().own);
  return to_candidates(search.search(queries, count));
}

}  // namespace wordbridge
