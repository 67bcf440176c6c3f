#include "retrieval/csls/unlisted_bound.h"

#include <algorithm>
#include <limits>

namespace wordbridge {

namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

}  // namespace

UnlistedBound::UnlistedBound(std::vector<WordId> targets, const NeighborLists& lists, std::span<const double> means) {
  if (lists.found == 0) targets.clear();
  const auto last_of = [&](WordId y) { return double{lists.scores_of(y).back()}; };
  std::ranges::sort(targets, {}, last_of);
  below_.assign(targets.size() + 1, -kNoBound);
  from_.assign(targets.size() + 1, kNoBound);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    last_.push_back(last_of(targets[i]));
    below_[i + 1] = std::max(below_[i], 2 * last_[i] - means[targets[i]]);
  }
  for (std::size_t i = targets.size(); i-- > 0;) from_[i] = std::min(from_[i + 1], means[targets[i]]);
}

double UnlistedBound::of_one(double last, std::span<const WordId> targets, const NeighborLists& lists,
                             std::span<const double> means) {
  double most = -kNoBound;
  if (lists.found == 0) return most;
  for (const WordId y : targets)
    most = std::max(most, 2 * std::min(last, double{lists.scores_of(y).back()}) - means[y]);
  return most;
}

double UnlistedBound::operator()(double last) const {
  const auto place = static_cast<std::size_t>(std::ranges::lower_bound(last_, last) - last_.begin());
  return std::max(below_[place], 2 * last - from_[place]);
}

}  // namespace wordbridge
