#include "optimize/training_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::training_pairs_test {
namespace {

using testing::ElementsAre;

Matrix numbered(std::size_t rows, float offset) {
  Matrix table(rows, 2);
  for (std::size_t i = 0; i < rows; ++i) {
    table(i, 0) = static_cast<float>(i) + offset;
    table(i, 1) = -1;
  }
  return table;
}

TEST(TrainingPairsTest, HoldsEachWordOnce) {
  const Matrix source = numbered(10, 0), target = numbered(20, 100);
  const std::vector<Lexicon::Pair> pairs = {{7, 12}, {3, 12}, {7, 4}, {3, 4}, {7, 19}};
  const TrainingPairs words(source, target, pairs);
  EXPECT_EQ(words.size(), 5u);
  EXPECT_THAT(words.source_rows(), ElementsAre(3, 7));
  EXPECT_THAT(words.target_rows(), ElementsAre(4, 12, 19));
  EXPECT_THAT(words.pairs(), ElementsAre(Lexicon::Pair{1, 1}, Lexicon::Pair{0, 1}, Lexicon::Pair{1, 0},
                                         Lexicon::Pair{0, 0}, Lexicon::Pair{1, 2}));
  EXPECT_EQ(words.target(2)[0], 119);
  const std::vector<std::uint32_t> last = {1}, ends = {0, 2};
  const MatrixD sources = words.sources(last), targets = words.targets(ends);
  ASSERT_EQ(sources.rows(), 1u);
  ASSERT_EQ(targets.rows(), 2u);
  EXPECT_EQ(sources(0, 0), 7);
  EXPECT_EQ(targets(0, 0), 104);
  EXPECT_EQ(targets(1, 0), 119);
}

TEST(TrainingPairsTest, EmptyStaysEmpty) {
  const Matrix table = numbered(2, 0);
  const TrainingPairs words(table, table, {});
  EXPECT_EQ(words.size(), 0u);
  EXPECT_TRUE(words.source_rows().empty());
  EXPECT_EQ(words.sources({}).rows(), 0u);
}

TEST(PairGroupsTest, GroupsBySourceWhateverTheOrder) {
  const std::vector<Lexicon::Pair> pairs = {{5, 1}, {2, 9}, {5, 0}, {2, 1}, {8, 1}};
  const PairGroups groups = PairGroups::of(pairs);
  EXPECT_THAT(groups.sources, ElementsAre(2, 5, 8));
  EXPECT_THAT(groups.begin, ElementsAre(0, 2, 4, 5));
  EXPECT_THAT(groups.targets_of, ElementsAre(1, 9, 0, 1, 1));
  EXPECT_THAT(groups.targets, ElementsAre(0, 1, 9));
  EXPECT_THAT(groups.target_weights, ElementsAre(1, 3, 1));
  EXPECT_EQ(groups.weight(), 5);

  const std::vector<Lexicon::Pair> reversed(pairs.rbegin(), pairs.rend());
  EXPECT_EQ(PairGroups::of(reversed).targets_of, groups.targets_of);
}

TEST(PairGroupsTest, WeightsGoWithTheirPairs) {
  const Matrix source = numbered(10, 0), target = numbered(20, 100);
  const TrainingPairs words(source, target, std::vector<Lexicon::Pair>{{7, 12, 0.5}, {3, 12, 2}, {7, 4, 0.25}});
  const PairGroups groups = PairGroups::of(words.pairs());
  EXPECT_THAT(groups.targets_of, ElementsAre(1, 0, 1));
  EXPECT_THAT(groups.weights_of, ElementsAre(2, 0.25, 0.5));
  EXPECT_THAT(groups.target_weights, ElementsAre(0.25, 2.5));
  EXPECT_EQ(groups.weight(), 2.75);
}

}  // namespace
}  // namespace wordbridge::training_pairs_test
