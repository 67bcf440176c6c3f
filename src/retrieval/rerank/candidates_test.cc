#include "retrieval/rerank/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "retrieval/csls/csls.h"
#include "retrieval/rerank/rerank_test_support.h"
#include "space/common_space_state.h"

namespace wordbridge::candidates_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

struct Asked {
  CommonSpace space;
  std::vector<AskingWord> words;
  ConstMatrixView vectors;

  explicit Asked(const PlantedLanguages& planted, std::size_t count)
      : space(planted.identity(), planted.source, planted.target), vectors(space.table(Side::source).slice(0, count)) {
    for (WordId i = 0; i < count; ++i) words.push_back({space.vocabulary(Side::source)[i], i});
  }
  std::shared_ptr<const SpellingResources> spelling() const {
    return std::make_shared<const SpellingResources>(space.vocabulary(Side::source), space.vocabulary(Side::target));
  }
};

void expect_same(const std::vector<WordCandidates>& a, const std::vector<WordCandidates>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].targets, b[i].targets);
    EXPECT_EQ(a[i].mean, b[i].mean);
    EXPECT_EQ(a[i].csls, b[i].csls);
    EXPECT_EQ(a[i].near_words, b[i].near_words);
    EXPECT_EQ(a[i].near_cosines, b[i].near_cosines);
  }
}

TEST(CandidateFinder, TheBestByCslsComeFirst) {
  const Asked asked(planted_languages(400, 0, 0.3, 1), 40);
  const auto lists = CandidateFinder(asked.space, asked.spelling()).find(asked.words, asked.vectors);
  const Candidates best = Csls(asked.space).best(asked.vectors, 25);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    ASSERT_GE(lists[i].size(), 25u);
    for (std::size_t rank = 0; rank < 25; ++rank) {
      EXPECT_EQ(lists[i].targets[rank], best.targets_of(i)[rank]);
      EXPECT_EQ(lists[i].csls[rank], best.scores_of(i)[rank]);
    }
    EXPECT_LE(lists[i].size(), 31u);
  }
}

/// A space remembers the words that were ranked last, and only these.
TEST(CandidateFinder, WordsThatWereRankedBefore) {
  const PlantedLanguages planted = planted_languages(400, 0, 0.3, 1);
  const Asked fresh(planted, 40), asked(planted, 40);
  const CandidateFinder finder(asked.space, asked.spelling());
  std::vector<WordId> ids(40), others(30);
  std::iota(ids.begin(), ids.end(), WordId{0});
  std::iota(others.begin(), others.end(), WordId{5});
  const Candidates best = CandidateFinder(asked.space, nullptr).by_csls(ids);
  EXPECT_EQ(best.targets, Csls(fresh.space).best(fresh.vectors, 25).targets);
  const auto expected = CandidateFinder(fresh.space, fresh.spelling()).find(fresh.words, fresh.vectors);
  expect_same(finder.find(asked.words, asked.vectors), expected);
  finder.by_csls(others);
  expect_same(finder.find(asked.words, asked.vectors), expected);
}

TEST(CandidateFinder, IsTheSameWhateverIsKnownBefore) {
  const PlantedLanguages planted = planted_languages(400, 0, 0.3, 1);
  const Asked few(planted, 3), many(planted, 3);
  many.space.state().csls(10).learn_both();
  const CandidateFinder lazily(few.space, few.spelling()), fully(many.space, many.spelling());
  expect_same(lazily.find(few.words, few.vectors), fully.find(many.words, many.vectors));
}

TEST(CandidateFinder, SpellingAddsWordsThatMeaningMisses) {
  // Forty targets lie near "rio"; the one that is spelled so points elsewhere, and so does "ríos".
  std::vector<std::string> words = {"rio", "ríos", "nada"};
  std::vector<float> values = {-1, 0, -1, 0.1f, 0, 0};
  for (int i = 0; i < 40; ++i) {
    words.push_back("w" + std::to_string(i));
    values.insert(values.end(), {1, 0.01f * static_cast<float>(i)});
  }
  const CommonSpace space(vectors_of({"rio", "nada"}, {1, 0.2f, 1, 0}), vectors_of(words, values));
  const auto spelling =
      std::make_shared<const SpellingResources>(space.vocabulary(Side::source), space.vocabulary(Side::target));
  const std::vector<AskingWord> asking = {{"rio", 0}, {"nada", 1}};
  const auto lists = CandidateFinder(space, spelling).find(asking, space.table(Side::source));
  EXPECT_THAT(lists[0].targets, Contains(0));
  EXPECT_THAT(lists[0].targets, Contains(1));
  EXPECT_THAT(lists[1].targets, Not(Contains(2)));  // it has no vector
  const auto plain = CandidateFinder(space, nullptr).find(asking, space.table(Side::source));
  EXPECT_EQ(plain[0].size(), 25u);
  EXPECT_THAT(plain[0].targets, Not(Contains(0)));
}

TEST(CandidateFinder, WordsOutsideTheVocabulary) {
  const CommonSpace space(vectors_of({"x", "y"}, {1, 0, 0, 1}), vectors_of({"rio", "lago"}, {1, 0, 0, 1}));
  const auto spelling =
      std::make_shared<const SpellingResources>(space.vocabulary(Side::source), space.vocabulary(Side::target));
  const Matrix vector = Matrix::copy_of(space.table(Side::source).slice(0, 1));
  const AskingWord word{"Río", std::nullopt};
  const auto lists = CandidateFinder(space, spelling).find(std::span(&word, 1), vector);
  EXPECT_EQ(lists[0].letters, U"rio");
  EXPECT_THAT(lists[0].targets, ElementsAre(0, 1));
  EXPECT_NEAR(lists[0].mean, 0.5, 1e-6);
}

}  // namespace
}  // namespace wordbridge::candidates_test
