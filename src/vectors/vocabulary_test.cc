#include "wordbridge/vocabulary.h"

#include <gtest/gtest.h>

#include <string>
#include <unordered_map>
#include <utility>
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

TEST(Vocabulary, IsShownWhereItsPartsLie) {
  Vocabulary own;
  for (int i = 0; i < 100; ++i) own.add("word " + std::to_string(i));
  std::optional<Vocabulary> view = Vocabulary::view(own.parts());
  ASSERT_TRUE(view);
  EXPECT_EQ(view->size(), 100u);
  EXPECT_EQ((*view)[42], "word 42");
  EXPECT_EQ((*view)[42].data(), own[42].data());  // without a copy
  EXPECT_EQ(view->find("word 99"), 99u);
  EXPECT_EQ(view->find("word"), std::nullopt);
  EXPECT_TRUE(*view == own);
  Vocabulary copy = *view;
  EXPECT_FALSE(copy.add("word 7"));
  EXPECT_TRUE(copy.add("another"));
  EXPECT_EQ(copy.find("another"), 100u);
  EXPECT_EQ(copy.find("word 7"), 7u);
  EXPECT_EQ(view->size(), 100u);
  EXPECT_FALSE(copy == own);
  view->truncate(10);
  EXPECT_EQ(view->find("word 9"), 9u);
  EXPECT_FALSE(view->contains("word 10"));
}

TEST(Vocabulary, PartsThatDoNotFitAreNotShown) {
  Vocabulary own;
  for (int i = 0; i < 20; ++i) own.add("word " + std::to_string(i));
  const Vocabulary::Parts right = own.parts();
  const auto shown = [](const Vocabulary::Parts& parts) { return Vocabulary::view(parts).has_value(); };
  EXPECT_TRUE(shown(right));
  EXPECT_FALSE(shown({}));
  EXPECT_FALSE(shown({right.bytes.first(right.bytes.size() - 1), right.offsets, right.slots}));
  EXPECT_FALSE(shown({right.bytes, right.offsets.first(20), right.slots}));
  EXPECT_FALSE(shown({right.bytes, right.offsets, right.slots.first(right.slots.size() - 1)}));
  EXPECT_FALSE(shown({right.bytes, right.offsets, right.slots.first(16)}));
  std::vector<std::uint64_t> offsets(right.offsets.begin(), right.offsets.end());
  std::swap(offsets[3], offsets[4]);
  EXPECT_FALSE(shown({right.bytes, offsets, right.slots}));
  std::vector<Vocabulary::Slot> slots(right.slots.begin(), right.slots.end());
  for (Vocabulary::Slot& slot : slots) {
    if (slot.id >= 20) continue;
    const WordId id = std::exchange(slot.id, 20u);
    EXPECT_FALSE(shown({right.bytes, right.offsets, slots}));
    slot.id = id;
  }
  for (Vocabulary::Slot& slot : slots) slot.id = 0;  // nowhere to end
  EXPECT_FALSE(shown({right.bytes, right.offsets, slots}));
}

}  // namespace
}  // namespace wordbridge::vocabulary_test
