#include "wordbridge/word_translation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/sharded_word_translation.h"
#include "lexicon/lexicon_reader.h"
#include "lexicon/word_pairs_test_support.h"
#include "mapping/stored_lexicon.h"
#include "parallel/communicator_test_support.h"
#include "retrieval/criterion_registry.h"
#include "retrieval/nearest.h"
#include "vectors/sharded_vectors_test_support.h"

namespace wordbridge::word_translation_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Twelve targets on a half circle, t0 .. t11 at angles 0, 10, 20, ...: the nearest of angle 10 n + 1 are tn, t(n+1),
/// t(n-1), t(n+2), ...
constexpr std::size_t kTargets = 12;

Matrix on_circle(const std::vector<double>& degrees) {
  Matrix table(degrees.size(), 2);
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    table(i, 0) = static_cast<float>(std::cos(degrees[i] * std::acos(-1.0) / 180));
    table(i, 1) = static_cast<float>(std::sin(degrees[i] * std::acos(-1.0) / 180));
  }
  return table;
}

struct WordTranslationTest : ::testing::Test {
  WordTranslationTest() {
    std::vector<double> degrees;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kTargets; ++i) {
      degrees.push_back(10.0 * static_cast<double>(i));
      names.push_back("t" + std::to_string(i));
    }
    targets = on_circle(degrees);
    target = Vocabulary(names);
    sources = on_circle({1, 51, 101, 0});
    sources(3, 0) = sources(3, 1) = 0;
  }
  WordTranslation evaluate(const std::string& lexicon) {
    const CommonSpace space(WordVectors(source, sources), WordVectors(target, targets));
    return evaluate_word_translation(Nearest(space), space,
                                     GoldLexicon(pairs_of(lexicon), source, target, CasePolicy::exact));
  }
  Matrix sources, targets;
  Vocabulary source = vocabulary_of({"a", "b", "c", "zero"}), target;
};

// By hand, with a: t0 t1 t2 ...; b: t5 t6 t4 t7 t3 t8 t2 ...; c: t10 t11 t9 t8 t7 ... and the lexicon
//   a t0           rank 1
//   b t2, b t3     ranks 7 and 5: 5
//   c t1           c is at 101 degrees; the ten nearest are t10 t11 t9 t8 t7 t6 t5 t4 t3 t2: none
//   zero t0        in the vocabularies, but without a vector: none
//   out t0         not in the vocabulary
//   c2 unknown     neither word is
// So of 6 source words 4 are covered; right at 1: 1, at 5: 2, at 10: 2; sum of 1/rank = 1.2.
TEST_F(WordTranslationTest, KnownAnswer) {
  const WordTranslation result = evaluate("a t0\nb t2\nb t3\nc t1\nzero t0\nout t0\nc2 unknown\n");
  EXPECT_EQ(result.criterion, "nn");
  EXPECT_EQ(result.all.words, 6u);
  EXPECT_EQ(result.covered.words, 4u);
  EXPECT_NEAR(result.all.precision[0], 100.0 / 6, 1e-9);
  EXPECT_NEAR(result.all.precision[1], 200.0 / 6, 1e-9);
  EXPECT_NEAR(result.all.precision[2], 200.0 / 6, 1e-9);
  EXPECT_NEAR(result.all.mrr_at_10, 120.0 / 6, 1e-9);
  EXPECT_NEAR(result.covered.precision[0], 25, 1e-9);
  EXPECT_NEAR(result.covered.precision[1], 50, 1e-9);
  EXPECT_NEAR(result.covered.precision[2], 50, 1e-9);
  EXPECT_NEAR(result.covered.mrr_at_10, 30, 1e-9);
  EXPECT_NEAR(result.coverage_percent(), 400.0 / 6, 1e-9);
  EXPECT_EQ(result.coverage.pairs, 5u);
}

TEST_F(WordTranslationTest, TheOtherSideMayAsk) {
  const GoldLexicon lexicon(pairs_of("a t0\nb t2\nb t3\nc t1\nzero t0\n"), source, target, CasePolicy::exact);
  const CommonSpace space(WordVectors(source, sources), WordVectors(target, targets));
  const CommonSpace turned(WordVectors(target, targets), WordVectors(source, sources));
  const WordTranslation one = evaluate_word_translation(Nearest(space), space, lexicon);
  const WordTranslation other =
      evaluate_word_translation(*make_criterion("nn", turned, {}, Side::target), turned, lexicon, Side::target);
  ASSERT_EQ(one.words.size(), other.words.size());
  for (std::size_t i = 0; i < one.words.size(); ++i) {
    EXPECT_EQ(one.words[i].predictions, other.words[i].predictions);
    EXPECT_EQ(one.words[i].scores, other.words[i].scores);
    EXPECT_EQ(one.words[i].rank, other.words[i].rank);
  }
  EXPECT_EQ(one.all.precision, other.all.precision);
  EXPECT_GT(one.all.precision[0], 0);
}

TEST_F(WordTranslationTest, Details) {
  const WordTranslation result = evaluate("b t2\nb t99\nb t3\nout t0\nzero t1\n");
  ASSERT_EQ(result.words.size(), 3u);
  const WordTranslation::Word& b = result.words[0];
  EXPECT_EQ(b.word, "b");
  EXPECT_TRUE(b.covered);
  EXPECT_EQ(b.rank, 5u);
  EXPECT_THAT(b.gold, ElementsAre("t2", "t99", "t3"));
  EXPECT_THAT(b.predictions, ElementsAre("t5", "t6", "t4", "t7", "t3", "t8", "t2", "t9", "t1", "t10"));
  ASSERT_EQ(b.scores.size(), 10u);
  EXPECT_NEAR(b.scores[0], 0.99985, 1e-5);  // cos 1 degree
  EXPECT_NEAR(b.scores[4], 0.93358, 1e-5);  // cos 21 degrees
  EXPECT_EQ(result.words[1].word, "out");
  EXPECT_FALSE(result.words[1].covered);
  EXPECT_THAT(result.words[1].predictions, IsEmpty());
  EXPECT_TRUE(result.words[2].covered);
  EXPECT_THAT(result.words[2].predictions, IsEmpty());
  EXPECT_EQ(result.words[2].rank, 0u);
}

// A gold target outside the vocabulary cannot be found: the word counts for "all" only.
TEST_F(WordTranslationTest, UncoveredTarget) {
  const WordTranslation result = evaluate("a t0\nb nowhere\n");
  EXPECT_EQ(result.covered.words, 1u);
  EXPECT_EQ(result.covered.precision[0], 100);
  EXPECT_EQ(result.all.precision[0], 50);
  EXPECT_THAT(result.words[1].predictions.size(), 10u);  // the word itself is known: its translations are shown
  EXPECT_FALSE(result.words[1].covered);
}

TEST_F(WordTranslationTest, FewerTargetsThanTen) {
  targets.truncate_rows(3);
  target.truncate(3);
  const WordTranslation result = evaluate("a t2\nb t2\n");
  EXPECT_EQ(result.words[0].rank, 3u);
  EXPECT_EQ(result.words[1].rank, 1u);
  EXPECT_EQ(result.all.precision[0], 50);
  EXPECT_EQ(result.all.precision[1], 100);
  EXPECT_NEAR(result.all.mrr_at_10, 100 * (1 + 1.0 / 3) / 2, 1e-9);
}

TEST_F(WordTranslationTest, SeveralProcessesFindTheSame) {
  const std::string lexicon = "a t0\nb t5\nb t6\nzero t1\nc t2\n";
  const WordTranslation expected = evaluate(lexicon);
  run_ranks(3, [&](Communicator& communicator) {
    const ShardedSpace space(shard(WordVectors(source, sources), communicator),
                             shard(WordVectors(target, targets), communicator));
    const WordTranslation found = evaluate_word_translation(
        Nearest(space, Side::source), space, GoldLexicon(pairs_of(lexicon), source, target, CasePolicy::exact));
    EXPECT_EQ(found.all.precision, expected.all.precision);
    for (std::size_t i = 0; i < found.words.size(); ++i) {
      EXPECT_EQ(found.words[i].predictions, expected.words[i].predictions);
      EXPECT_EQ(found.words[i].scores, expected.words[i].scores);
    }
  });
}

TEST_F(WordTranslationTest, WhatTheMappingKnowsIsCounted) {
  Mapping mapping(Matrix::identity(2), {}, {});
  mapping.lexicon = std::make_shared<const StoredLexicon>(
      StoredLexicon{{{"a", "t0"}, {"b", "t2"}, {"b", "t9"}, {"b", "t3"}, {"zero", "t7"}, {"d", "t1"}}});
  const CommonSpace space(mapping, WordVectors(source, sources), WordVectors(target, targets));
  const GoldLexicon gold(pairs_of("a t0\nb t2\nb t3\nc t1\nzero t1\n"), source, target, CasePolicy::exact);
  const WordTranslation result = evaluate_word_translation(Nearest(space), space, gold);
  EXPECT_EQ(result.coverage.known_words, 2u);
  EXPECT_EQ(result.coverage.known_pairs, 3u);
  EXPECT_EQ(result.words[1].rank, 5u) << "known or not, words are ranked by their vectors";
  EXPECT_THAT(result.coverage.to_line(),
              testing::HasSubstr("3 pairs of 2 words known from the lexicon of the mapping"));
}

}  // namespace
}  // namespace wordbridge::word_translation_test
