#include "wordbridge/vocabulary.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "base/random.h"

namespace wordbridge::vocabulary_test {
namespace {

TEST(Vocabulary, NumbersWordsInTheOrderOfTheirComing) {
  Vocabulary vocabulary;
  EXPECT_TRUE(vocabulary.add("the"));
  EXPECT_TRUE(vocabulary.add("of"));
  EXPECT_FALSE(vocabulary.add("the"));
  EXPECT_TRUE(vocabulary.add("The"));
  EXPECT_EQ(vocabulary.size(), 3u);
  EXPECT_EQ(vocabulary[0], "the");
  EXPECT_EQ(vocabulary[2], "The");
  EXPECT_EQ(vocabulary.find("of"), 1u);
  EXPECT_EQ(vocabulary.find("off"), std::nullopt);
  EXPECT_TRUE(vocabulary.contains("The"));
}

TEST(Vocabulary, AnEmptyOneHoldsNothing) {
  const Vocabulary vocabulary;
  EXPECT_EQ(vocabulary.size(), 0u);
  EXPECT_FALSE(vocabulary.contains("the"));
  EXPECT_FALSE(vocabulary.contains(""));
}

TEST(Vocabulary, AnyBytesAreAWord) {
  const std::vector<std::string> words = {"", std::string("a\0b", 3), "a", "\xff\xfe", "con espacio", "日本", "b"};
  const Vocabulary vocabulary(words);
  ASSERT_EQ(vocabulary.size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(vocabulary[i], words[i]);
    EXPECT_EQ(vocabulary.find(words[i]), i);
  }
  EXPECT_FALSE(vocabulary.contains(std::string("a\0", 2)));
}

TEST(Vocabulary, AgreesWithAStandardMapThroughGrowthAndTruncation) {
  Random random(1);
  Vocabulary vocabulary;
  std::unordered_map<std::string, WordId> twin;
  std::vector<std::string> order;
  for (int i = 0; i < 30'000; ++i) {
    const std::string word = std::to_string(random.index(12'000));
    EXPECT_EQ(vocabulary.add(word), twin.emplace(word, static_cast<WordId>(order.size())).second);
    if (twin.size() > order.size()) order.push_back(word);
    if (i == 20'000) {
      while (order.size() > 5000) {
        twin.erase(order.back());
        order.pop_back();
      }
      vocabulary.truncate(5000);
      EXPECT_EQ(vocabulary.size(), 5000u);
    }
  }
  ASSERT_EQ(vocabulary.size(), order.size());
  for (int i = 0; i < 12'000; ++i) {
    const std::string word = std::to_string(i);
    const auto expected = twin.find(word);
    EXPECT_EQ(vocabulary.find(word), expected == twin.end() ? std::nullopt : std::optional(expected->second));
  }
}

TEST(Vocabulary, ReservingChangesNothingButTheMemory) {
  Vocabulary reserved, grown;
  reserved.reserve(1000);
  for (int i = 0; i < 1000; ++i) {
    reserved.add(std::to_string(i));
    grown.add(std::to_string(i));
    if (i == 500) reserved.reserve(10);
  }
  EXPECT_EQ(reserved, grown);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(reserved.find(std::to_string(i)), static_cast<WordId>(i));
}

TEST(Vocabulary, TruncatingToMoreThanThereIsDoesNothing) {
  Vocabulary vocabulary(std::vector<std::string>{"a", "b"});
  vocabulary.truncate(2);
  vocabulary.truncate(99);
  EXPECT_EQ(vocabulary.size(), 2u);
  vocabulary.truncate(0);
  EXPECT_EQ(vocabulary.size(), 0u);
  EXPECT_FALSE(vocabulary.contains("a"));
  EXPECT_TRUE(vocabulary.add("b"));
  EXPECT_EQ(vocabulary.find("b"), 0u);
}

TEST(Vocabulary, EqualMeansTheSameWordsInTheSameOrder) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(Vocabulary(Words{"a", "b"}), Vocabulary(Words{"a", "b", "a"}));
  EXPECT_FALSE(Vocabulary(Words{"a", "b"}) == Vocabulary(Words{"b", "a"}));
  EXPECT_FALSE(Vocabulary(Words{"ab", "c"}) == Vocabulary(Words{"a", "bc"}));
}

}  // namespace
}  // namespace wordbridge::vocabulary_test
