#include "wordbridge/induce_lexicon.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "linalg/random_matrix_test_support.h"
#include "retrieval/rerank/rerank_test_support.h"
#include "retrieval/rerank/train_reranker.h"
#include "space/space_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::induce_lexicon_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using enum InductionDirection;

Matrix rows(std::size_t cols, std::vector<float> values) {
  return Matrix::copy_of({values.data(), values.size() / cols, cols});
}

std::vector<std::pair<WordId, WordId>> ids(const std::vector<InducedPair>& pairs) {
  std::vector<std::pair<WordId, WordId>> result;
  for (const InducedPair& pair : pairs) result.emplace_back(pair.source, pair.target);
  return result;
}

// By cosine: both sources name target 0, which names source 0; target 1 names source 1.
const Matrix kSources = rows(2, {1, 0, 0.8f, 0.6f});
const Matrix kTargets = rows(2, {1, 0, 0, 1});

InductionOptions nearest(InductionDirection direction) {
  InductionOptions options;
  options.criterion = "nn";
  options.direction = direction;
  return options;
}

TEST(InduceLexicon, EachDirection) {
  EXPECT_THAT(ids(induce_lexicon(space_of(kSources, kTargets), nearest(source_to_target))),
              ElementsAre(Pair(0, 0), Pair(1, 0)));
  EXPECT_THAT(ids(induce_lexicon(space_of(kSources, kTargets), nearest(target_to_source))),
              ElementsAre(Pair(0, 0), Pair(1, 1)));
  EXPECT_THAT(ids(induce_lexicon(space_of(kSources, kTargets), nearest(intersection))), ElementsAre(Pair(0, 0)));
  EXPECT_THAT(ids(induce_lexicon(space_of(kSources, kTargets), nearest(either))),
              ElementsAre(Pair(0, 0), Pair(1, 0), Pair(1, 1)));
}

TEST(InduceLexicon, ScoresMarginsAndRanks) {
  InductionOptions options = nearest(source_to_target);
  options.count = 2;
  const auto pairs = induce_lexicon(space_of(kSources, kTargets), options);
  ASSERT_EQ(pairs.size(), 4u);
  EXPECT_NEAR(pairs[2].score, 0.8, 1e-6);
  EXPECT_NEAR(pairs[2].margin, 0.2, 1e-6);
  EXPECT_EQ(pairs[2].rank, 1u);
  EXPECT_EQ(pairs[3].rank, 2u);
  EXPECT_GT(pairs[3].margin, 1e300);  // there is no third target
}

TEST(InduceLexicon, ThresholdMarginAndFrequencyRange) {
  InductionOptions options = nearest(source_to_target);
  options.threshold = 0.9;
  EXPECT_THAT(ids(induce_lexicon(space_of(kSources, kTargets), options)), ElementsAre(Pair(0, 0)));
  options = nearest(source_to_target);
  options.margin = 0.5;
  EXPECT_THAT(ids(induce_lexicon(space_of(kSources, kTargets), options)), ElementsAre(Pair(0, 0)));
  options = nearest(source_to_target);
  options.first_word = 1;
  EXPECT_THAT(ids(induce_lexicon(space_of(kSources, kTargets), options)),
              ElementsAre());  // 1 names 0, which is out of range
  options = nearest(target_to_source);
  options.first_word = 1;
  EXPECT_THAT(ids(induce_lexicon(space_of(kSources, kTargets), options)), ElementsAre(Pair(1, 1)));
  options.last_word = 1;
  EXPECT_THAT(ids(induce_lexicon(space_of(kSources, kTargets), options)), ElementsAre());
}

TEST(InduceLexicon, MutualPairsAreNamedByBothSides) {
  const Matrix sources = random_unit_rows(300, 10, 1), targets = random_unit_rows(250, 10, 2);
  InductionOptions options;
  for (const std::size_t count : {1, 3}) {
    options.count = count;
    const auto list = [&](InductionDirection direction) {
      options.direction = direction;
      const auto pairs = ids(induce_lexicon(space_of(sources, targets), options));
      return std::set<std::pair<WordId, WordId>>(pairs.begin(), pairs.end());
    };
    const auto forward = list(source_to_target), backward = list(target_to_source);
    std::set<std::pair<WordId, WordId>> both, one = forward;
    one.insert(backward.begin(), backward.end());
    for (const auto& pair : forward)
      if (backward.contains(pair)) both.insert(pair);
    EXPECT_FALSE(both.empty());
    EXPECT_EQ(list(intersection), both);
    EXPECT_EQ(list(either), one);
  }
}

/// By a re-ranker only source words that a target names are asked for; what comes out must be what both sides name.
TEST(InduceLexicon, MutualPairsOfARerankerAreThoseOfBothSides) {
  const PlantedLanguages planted = planted_languages(300, 200, 1.0, 3);
  Mapping mapping = planted.identity();
  mapping.reranker = train_reranker({planted.source.vocabulary(), planted.target.vocabulary(), planted.lexicon,
                                     [&](const Lexicon&) { return planted.space(); }})
                         .model;
  for (const std::size_t count : {1, 3})
    for (const double threshold : {0.0, 0.6}) {
      InductionOptions options{.criterion = "rerank", .count = count, .first_word = 7, .last_word = 290};
      options.threshold = threshold;
      const auto list = [&](InductionDirection direction) {
        options.direction = direction;
        return induce_lexicon(CommonSpace(mapping, planted.source, planted.target), options);
      };
      const auto both = list(intersection), forward = list(source_to_target);
      options.threshold = -1e9;  // a probability is wanted of the source side; the other side ranks by CSLS
      const auto named = ids(list(target_to_source));
      std::vector<InducedPair> expected;
      for (const InducedPair& pair : forward)
        if (std::ranges::count(named, std::pair(pair.source, pair.target)) > 0) expected.push_back(pair);
      ASSERT_EQ(both.size(), expected.size());
      EXPECT_GT(both.size(), 50u);
      EXPECT_LT(both.size(), forward.size());
      for (std::size_t i = 0; i < both.size(); ++i) {
        EXPECT_EQ(
            std::tie(both[i].source, both[i].target, both[i].score, both[i].margin, both[i].rank),
            std::tie(expected[i].source, expected[i].target, expected[i].score, expected[i].margin, expected[i].rank));
      }
    }
}

TEST(InduceLexicon, ZeroRowsTakePartInNothing) {
  Matrix sources = kSources;
  std::fill_n(sources.row(0).data(), 2, 0.0f);
  EXPECT_THAT(ids(induce_lexicon(space_of(sources, kTargets), nearest(source_to_target))), ElementsAre(Pair(1, 0)));
}

TEST(InduceLexicon, NamesOfDirections) {
  for (const char* name : {"source-to-target", "target-to-source", "intersection", "union"})
    EXPECT_EQ(to_string(parse_direction(name)), name);
  EXPECT_THROW(parse_direction("both"), UsageError);
  InductionOptions options;
  options.count = 0;
  EXPECT_THROW(induce_lexicon(space_of(kSources, kTargets), options), UsageError);
}

}  // namespace
}  // namespace wordbridge::induce_lexicon_test
