#include "retrieval/rerank/backward_lists.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "space/common_space_state.h"

namespace wordbridge {

BackwardLists::BackwardLists(const CommonSpace& space, CslsStatistics& statistics, std::vector<WordId> targets)
    : targets_(std::move(targets)), known_(statistics.nearest()) {
  const std::size_t k = statistics.neighbors();
  if (known_ == nullptr)
    searched_ = space.state().search(Side::source).search(space.state().rows(Side::target).gather(targets_), k);
  found_ = std::min(k, known_ != nullptr ? known_->of_target.found : searched_.found);
}

std::size_t BackwardLists::place_of(WordId target) const {
  if (known_ != nullptr) return target;
  const auto found = std::ranges::lower_bound(targets_, target);
  assert(found != targets_.end() && *found == target);
  return static_cast<std::size_t>(found - targets_.begin());
}

std::span<const WordId> BackwardLists::words_of(WordId target) const {
  return lists().ids_of(place_of(target)).first(found_);
}

std::span<const float> BackwardLists::cosines_of(WordId target) const {
  return lists().scores_of(place_of(target)).first(found_);
}

double BackwardLists::mean_of(WordId target) const { return mean_score(cosines_of(target)); }

}  // namespace wordbridge
