#include "retrieval/rerank/backward_lists.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "space/neighborhood_means.h"

namespace wordbridge {

BackwardLists::BackwardLists(CslsStatistics& statistics, std::vector<WordId> targets)
    : targets_(std::move(targets)), known_(statistics.nearest()) {
  const std::size_t k = statistics.neighbors();
  if (known_ == nullptr) {
    CslsStatistics::Partial partial(statistics, Side::target);
    searched_ = partial.means().nearest(targets_);
  }
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
