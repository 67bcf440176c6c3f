#include "retrieval/globally_corrected.h"

#include <gmock/gmock.h>

#include "retrieval/nearest.h"
#include "space/space_test_support.h"
#include "wordbridge/error.h"

// What holds for every criterion, the dense twin included, is in criterion_contract_test.cc.

namespace wordbridge::globally_corrected_test {
namespace {

using ::testing::ElementsAre;

Matrix rows(std::size_t cols, std::vector<float> values) {
  return Matrix::copy_of({values.data(), values.size() / cols, cols});
}

// A hub at (1, 0), two words above and below, and three source words:
//   cos       hub   up    down     ranks of q1: hub 1 (q3 is nearer), up 0, down 2
//   q1        0.8  0.6   -0.6      of q3:       hub 0, up 1, down 1
//   q2        0.8 -0.6    0.6
//   q3        1    0      0
const Matrix kSources = rows(2, {0.8f, 0.6f, 0.8f, -0.6f, 1, 0});
const Matrix kTargets = rows(2, {1, 0, 0, 1, 0, -1});

TEST(GloballyCorrected, LeavesTheHubThatNearestPicks) {
  EXPECT_THAT(Nearest(space_of(kSources, kTargets)).best(kSources, 1).targets, ElementsAre(0, 0, 0));
  const GloballyCorrected gc(space_of(kSources, kTargets));
  const Candidates best = gc.best(kSources, 3);
  EXPECT_THAT(best.targets, ElementsAre(1, 0, 2, 2, 0, 1, 0, 1, 2));
  EXPECT_NEAR(best.scores[0], -0.2, 1e-6);      // (0.6 - 1) / 2 - 0
  EXPECT_NEAR(best.scores[1], -0.1 - 1, 1e-6);  // (0.8 - 1) / 2 - 1
  EXPECT_NEAR(best.scores[6], 0, 1e-6);
}

TEST(GloballyCorrected, TiesOfRankByTheLargerCosine) {
  // The query is the nearest source word of both targets: the nearer target comes first, though its id is higher.
  const Matrix sources = rows(2, {1, 0}), targets = rows(2, {0.6f, 0.8f, 0.8f, 0.6f});
  EXPECT_THAT(GloballyCorrected(space_of(sources, targets)).best(sources, 2).targets, ElementsAre(1, 0));
}

TEST(GloballyCorrected, RefusesAnEmptyPool) {
  EXPECT_THROW(GloballyCorrected(space_of(kSources, kTargets), {.pool = 0}), UsageError);
}

}  // namespace
}  // namespace wordbridge::globally_corrected_test
