#include "align/rcsls/selection_score.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "align/aligner_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_map_test_support.h"
#include "space/unit_rows.h"
#include "wordbridge/common_space.h"
#include "wordbridge/error.h"

namespace wordbridge::selection_score_test {
namespace {

Lexicon words_from_to(WordId begin, WordId end) {
  std::vector<Lexicon::Pair> pairs;
  for (WordId i = begin; i < end; ++i) pairs.push_back({i, i});
  return Lexicon(std::move(pairs));
}

TEST(ValidationScoreTest, KnownAnswers) {
  const SyntheticPair data = synthetic_pair({.words = 100, .pairs = 50});
  const ValidationScore score(data.source.table(), data.target.table(), words_from_to(50, 90), 10);
  EXPECT_EQ(score.score(to_double(data.truth)), 100);
  EXPECT_LT(score.score(random_map(8, 8, 1, 99)), 30);
  EXPECT_EQ(score.words(), 40u);
  EXPECT_EQ(score.name(), "P@1 by CSLS of 40 validation words");
}

TEST(ValidationScoreTest, AnyTranslationCountsOnceAWord) {
  // Word 1 has its true translation among three; words 2 and 3 have wrong ones only.
  const SyntheticPair data = synthetic_pair({.words = 100});
  const Lexicon lexicon({{1, 50}, {1, 1}, {1, 60}, {2, 3}, {3, 2}, {4, 4}});
  const ValidationScore score(data.source.table(), data.target.table(), lexicon, 10);
  EXPECT_EQ(score.score(to_double(data.truth)), 50);
}

TEST(ValidationScoreTest, LengthsOfTargetsDoNotMatter) {
  const SyntheticPair data = synthetic_pair({.words = 100, .noise = 0.3});
  const ValidationScore unit(data.source.table(), data.target.table(), words_from_to(0, 100), 10);
  Matrix longer = data.target.table();
  for (std::size_t i = 0; i < longer.rows(); ++i)
    for (float& value : longer.row(i)) value *= static_cast<float>(1 + i % 7);
  const ValidationScore scaled(data.source.table(), longer, words_from_to(0, 100), 10);
  EXPECT_LT(unit.score(to_double(data.truth)), 100);
  EXPECT_NEAR(scaled.score(to_double(data.truth)), unit.score(to_double(data.truth)), 2);
}

/// The slow twin is a space of its own for each map.
TEST(ValidationScoreTest, AsInASpaceOfItsOwnForEachMap) {
  const SyntheticPair data = synthetic_pair({.words = 600, .noise = 0.8});
  const Lexicon validation = words_from_to(30, 70);
  const HeldOutTranslations words(validation);
  const UnitRows target = UnitRows::of(data.target.table());
  const ValidationScore score(data.source.table(), data.target.table(), validation, 10);
  const MatrixD truth = to_double(data.truth), noise = random_map(8, 8, 1, 4);
  for (const double share : {0.0, 0.01, 0.05, 0.05, 0.5, 0.0}) {
    MatrixD w = truth;
    for (std::size_t i = 0; i < w.size(); ++i) w.data()[i] += share * noise.data()[i];
    const CommonSpace space(UnitRows::normalized(multiply_abt(data.source.table(), to_float(w))), target);
    const std::vector<std::uint8_t> right = words.translated_right(space, 10);
    EXPECT_EQ(score.score(w), 100.0 * static_cast<double>(std::ranges::count(right, 1)) / 40) << share;
  }
}

TEST(ValidationScoreTest, NoWordsIsAnError) {
  const SyntheticPair data = synthetic_pair();
  EXPECT_THROW(ValidationScore(data.source.table(), data.target.table(), Lexicon(), 10), UsageError);
}

}  // namespace
}  // namespace wordbridge::selection_score_test
