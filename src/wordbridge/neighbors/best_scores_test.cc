#include "wordbridge/neighbors/best_scores.h"

#include <gmock/gmock.h>

#include "wordbridge/base/random.h"

namespace wordbridge::best_scores_test {
namespace {

TEST(BestScores, KeepsTheBestInAnyOrderOfOffering) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<ScoredRow> rows(random.index(40));
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = {static_cast<float>(random.index(6)), static_cast<std::uint32_t>(i)};
    std::vector<ScoredRow> sorted = rows;
    std::sort(sorted.begin(), sorted.end(), [](const ScoredRow& a, const ScoredRow& b) { return a.better_than(b); });
    random.shuffle(rows);
    BestScores best(7);
    for (const ScoredRow& row : rows) best.offer(row);
    const std::vector<ScoredRow> found = best.take_sorted();
    ASSERT_EQ(found.size(), std::min<std::size_t>(7, rows.size()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].id, sorted[i].id);
      EXPECT_EQ(found[i].score, sorted[i].score);
    }
  }
}

TEST(BestScores, ThresholdIsTheWorstOfAFullList) {
  BestScores best(2);
  EXPECT_EQ(best.threshold(), -std::numeric_limits<float>::infinity());
  best.offer({3, 0});
  EXPECT_EQ(best.threshold(), -std::numeric_limits<float>::infinity());
  best.offer({1, 1});
  EXPECT_EQ(best.threshold(), 1);
  best.offer({2, 2});
  EXPECT_EQ(best.threshold(), 2);
  best.offer({2, 1});  // ties by lower id
  EXPECT_THAT(best.take_sorted()[1].id, 1u);
}

TEST(BestScores, OfNothing) {
  BestScores best(0);
  best.offer({3, 0});
  EXPECT_EQ(best.size(), 0u);
}

}  // namespace
}  // namespace wordbridge::best_scores_test
