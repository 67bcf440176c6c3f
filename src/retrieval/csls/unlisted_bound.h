#pragma once
#include <span>
#include <vector>

#include "search/neighbor_search.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// Let c(x) be the last cosine in the list of nearest words of x, t(y) the same of a target y, and b(y) at most the
/// mean of its k best. A pair that stands in neither list has cos(x, y) <= c(x) and cos(x, y) <= t(y), so that
///     2 cos(x, y) - b(y)  <=  max over y of (2 min(c(x), t(y)) - b(y)),
/// which sorting the targets by t gives for every x.
class UnlistedBound {
 public:
  /// Over these targets; `lists` and `means` (b) are of all.
  UnlistedBound(std::vector<WordId> targets, const NeighborLists& lists, std::span<const double> means);

  /// The same at once for one c(x): the right-hand side itself, which takes a pass over the targets instead of sorting.
  static double of_one(double last, std::span<const WordId> targets, const NeighborLists& lists,
                       std::span<const double> means);

  /// At least 2 cos(x, y) - b(y) for every pair that is not listed, if c(x) is this; minus infinity for no targets.
  double operator()(double last) const;

 private:
  std::vector<double> last_;   // t(y), ascending
  std::vector<double> below_;  // max over the targets before of 2 t - b; one more than targets
  std::vector<double> from_;   // min over the targets from here on of b; one more than targets
};

}  // namespace wordbridge
