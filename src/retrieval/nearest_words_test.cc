#include "retrieval/nearest_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::nearest_words_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

WordVectors vectors(std::vector<std::string> words, std::vector<float> values) {
  const std::size_t cols = values.size() / words.size();
  return WordVectors(Vocabulary(words), Matrix::copy_of({values.data(), words.size(), cols}));
}

std::vector<std::string> words_of(const Translations& answer) {
  std::vector<std::string> words;
  for (const auto& candidate : answer.candidates) words.push_back(candidate.word);
  return words;
}

// Directions: up 90, high 60, right 0 degrees; "none" has no vector.
WordVectors source() { return vectors({"up", "High", "none", "right"}, {0, 2, 0.5f, 0.8660254f, 0, 0, 1, 0}); }

TEST(NearestWords, InOneLanguageWithoutTheWordItself) {
  const std::vector<std::string> asked = {"up", "high", "nothing", "none"};
  const auto answers = nearest_words(CommonSpace::of_one(source()), asked, Side::source, 5);
  EXPECT_THAT(words_of(answers[0]), ElementsAre("High", "right"));
  EXPECT_NEAR(answers[0].candidates[0].score, 0.8660254, 1e-6);
  EXPECT_NEAR(answers[0].candidates[1].score, 0, 1e-6);
  EXPECT_EQ(answers[1].word, "High");
  EXPECT_THAT(words_of(answers[1]), ElementsAre("up", "right"));
  EXPECT_EQ(answers[2].origin, Translations::Origin::none);
  EXPECT_EQ(answers[3].word, "none");
  EXPECT_EQ(answers[3].origin, Translations::Origin::none);
  EXPECT_THAT(words_of(nearest_words(CommonSpace::of_one(source()), asked, Side::source, 1)[0]), ElementsAre("High"));
}

TEST(NearestWords, InAnotherLanguage) {
  const CommonSpace space(source(), vectors({"up", "arriba"}, {1, 0, 0, 1}));
  const std::vector<std::string> asked = {"up"};
  EXPECT_THAT(words_of(nearest_words(space, asked, Side::target, 5)[0]), ElementsAre("arriba", "up"))
      << "the same string there is another word";
}

TEST(NearestWords, OfWordsOfTheTargetSide) {
  const CommonSpace space(source(), vectors({"up", "arriba"}, {1, 0, 0, 1}));
  const std::vector<std::string> asked = {"arriba"};
  EXPECT_THAT(words_of(nearest_words(space, asked, Side::target, 5, CasePolicy::title, Side::target)[0]),
              ElementsAre("up"));
  EXPECT_THAT(words_of(nearest_words(space, asked, Side::source, 2, CasePolicy::title, Side::target)[0]),
              ElementsAre("up", "High"));
}

TEST(NearestWords, NothingToAsk) {
  const std::vector<std::string> asked = {"x"};
  EXPECT_THAT(words_of(nearest_words(CommonSpace::of_one(source()), asked, Side::source, 5)[0]), IsEmpty());
}

}  // namespace
}  // namespace wordbridge::nearest_words_test
