#include "retrieval/csls/unlisted_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/random.h"

namespace wordbridge::unlisted_bound_test {
namespace {

TEST(UnlistedBound, IsTheLargestOfAllTargets) {
  Random random(5);
  Neighbors lists{20, 2, std::vector<std::uint32_t>(40), std::vector<float>(40)};
  std::vector<double> means;
  for (std::size_t y = 0; y < 20; ++y) {
    lists.scores[2 * y] = 1;
    lists.scores[2 * y + 1] = static_cast<float>(random.index(10)) / 10;
    means.push_back(static_cast<double>(random.index(100)) / 100);
  }
  const std::vector<WordId> some = {1, 4, 5, 9, 13, 19};
  const UnlistedBound bound(some, lists, means);
  for (double last = -0.05; last < 1.1; last += 0.05) {
    double most = -std::numeric_limits<double>::infinity();
    for (const WordId y : some) most = std::max(most, 2 * std::min(last, double{lists.scores_of(y).back()}) - means[y]);
    EXPECT_EQ(bound(last), most) << last;
    EXPECT_EQ(UnlistedBound::of_one(last, some, lists, means), most) << last;
  }
  EXPECT_EQ(UnlistedBound({}, lists, means)(0.5), -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace wordbridge::unlisted_bound_test
