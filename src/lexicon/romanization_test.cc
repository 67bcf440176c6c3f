#include "lexicon/romanization.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lexicon/spelling.h"

namespace wordbridge::romanization_test {
namespace {

TEST(Romanization, ScriptsBecomeLatin) {
  const std::vector<std::pair<std::u32string, std::u32string>> known = {
      {U"москва", U"moskva"},   {U"αθηνα", U"athena"},    {U"서울", U"seoul"}, {U"トヨタ", U"toyota"},
      {U"すし", U"sushi"},      {U"北京", U"beijing"},    {U"שלום", U"slwm"},  {U"سلام", U"slam"},
      {U"тбилиси", U"tbilisi"}, {U"3d-кино", U"3d-kino"},
  };
  for (const auto& [word, latin] : known) EXPECT_EQ(romanized(word), latin);
}

TEST(Romanization, LatinStaysAsItIs) {
  for (const std::u32string word : {U"", U"word", U"Straße", U"ħal", U"3.14", U"—", U"e\u0301"}) {
    EXPECT_TRUE(is_latin(word));
    EXPECT_EQ(romanized(word), word);
  }
  EXPECT_FALSE(is_latin(U"кино"));
}

TEST(Romanization, WhatIsNoLetterStays) {
  const std::u32string broken = {U'к', char32_t{0x110000 + 0xFF}};
  EXPECT_EQ(romanized(broken), broken);
  const std::u32string surrogate = {char32_t{0xD800}, U'к'};
  EXPECT_FALSE(romanized(surrogate).empty());
}

TEST(Romanization, SpellingsOfDifferentScriptsCanBeEqual) {
  EXPECT_EQ(normalized_spelling("Αθήνα"), normalized_spelling("Athena"));
  EXPECT_EQ(normalized_spelling("МОСКВА"), normalized_spelling("Moskva"));
  EXPECT_EQ(spelling_similarity("Владимир", "Vladimir"), 1);
}

TEST(Romanization, EveryThreadGivesTheSame) {
  std::vector<std::u32string> results(4);
  std::vector<std::jthread> threads;
  for (std::u32string& result : results)
    threads.emplace_back([&result] {
      for (int i = 0; i < 20; ++i) result += romanized(U"москва") + romanized(U"서울");
    });
  threads.clear();
  for (const std::u32string& result : results) EXPECT_EQ(result, results.front());
}

TEST(Romanization, LongWordsAreWhole) {
  const std::u32string letters(5000, U'щ');
  std::u32string expected;
  const std::u32string one = romanized(U"щ");
  for (std::size_t i = 0; i < letters.size(); ++i) expected += one;
  EXPECT_EQ(romanized(letters), expected);
}

}  // namespace
}  // namespace wordbridge::romanization_test
