#include "retrieval/nearest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "space/space_test_support.h"

// What holds for every criterion, the dense twin included, is in criterion_contract_test.cc.

namespace wordbridge::nearest_test {
namespace {

using ::testing::ElementsAre;

TEST(Nearest, ScoresAreCosines) {
  Matrix targets(3, 2);
  targets(0, 0) = 1;
  targets(1, 1) = 1;
  targets(2, 0) = -1;
  Matrix queries(2, 2);
  queries(0, 0) = 0.6f;
  queries(0, 1) = 0.8f;
  queries(1, 0) = -1;
  const Candidates best = Nearest(space_of(queries, targets)).best(queries, 2);
  EXPECT_EQ(best.found, 2u);
  EXPECT_THAT(best.targets_of(0), ElementsAre(1, 0));
  EXPECT_THAT(best.scores_of(0), ElementsAre(0.8f, 0.6f));
  EXPECT_THAT(best.targets_of(1), ElementsAre(2, 1));
  EXPECT_THAT(best.scores_of(1), ElementsAre(1, 0));
}

}  // namespace
}  // namespace wordbridge::nearest_test
