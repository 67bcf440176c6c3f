#include "lexicon/spelling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/random.h"
#include "lexicon/word_pairs_test_support.h"
#include "parallel/threads_test_support.h"

namespace wordbridge::spelling_test {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST(NormalizedSpelling, IsLowerCaseWithoutMarks) {
  EXPECT_EQ(normalized_spelling("Canción"), U"cancion");
  EXPECT_EQ(normalized_spelling("ÉTÉ"), U"ete");
  EXPECT_EQ(normalized_spelling("Straße"), U"straße");
  EXPECT_EQ(normalized_spelling("Ёлка"), normalized_spelling("елка"));
  EXPECT_EQ(normalized_spelling("ﬁn-3"), U"ﬁn-3");  // compatibility forms stay
  EXPECT_EQ(normalized_spelling(""), U"");
}

TEST(NormalizedSpelling, IsInLatinLetters) {
  EXPECT_EQ(normalized_spelling("हिन्दी"), U"hindi");
  EXPECT_EQ(normalized_spelling("한"), U"han");
}

TEST(NormalizedSpelling, BytesThatAreNotUtf8AreLetters) {
  const std::u32string letters = normalized_spelling("a\xFF\xFE");
  ASSERT_EQ(letters.size(), 3u);
  EXPECT_EQ(letters[0], U'a');
  EXPECT_NE(letters[1], letters[2]);
}

TEST(SpellingTable, HoldsEveryWord) {
  std::vector<std::string> words;
  for (int i = 0; i < 9000; ++i) words.push_back("W\u00F6rt" + std::to_string(i));
  words.emplace_back("");
  const Vocabulary vocabulary(words);
  for (const int threads : {1, 3}) {
    const WithThreads with(threads);
    const SpellingTable table(vocabulary);
    ASSERT_EQ(table.size(), words.size());
    for (WordId i = 0; i < words.size(); ++i) ASSERT_EQ(table[i], normalized_spelling(words[i]));
  }
  EXPECT_EQ(SpellingTable().size(), 0u);
}

TEST(EditDistance, KnownAnswers) {
  EXPECT_EQ(edit_distance(U"kitten", U"sitting"), 3u);
  EXPECT_EQ(edit_distance(U"", U"abc"), 3u);
  EXPECT_EQ(edit_distance(U"abc", U""), 3u);
  EXPECT_EQ(edit_distance(U"flaw", U"lawn"), 2u);
  EXPECT_EQ(edit_distance(U"same", U"same"), 0u);
  EXPECT_DOUBLE_EQ(edit_similarity(U"kitten", U"sitting"), 1 - 3.0 / 7);
  EXPECT_DOUBLE_EQ(edit_similarity(U"", U""), 1);
  EXPECT_DOUBLE_EQ(edit_similarity(U"", U"a"), 0);
  EXPECT_DOUBLE_EQ(spelling_similarity("Haus", "HAUS"), 1);
  EXPECT_DOUBLE_EQ(spelling_similarity("nation", "nación"), 1 - 1.0 / 6);  // t becomes c; accents do not count
}

TEST(EditDistance, IsThatOfLetterByLetter) {
  Random random(4);
  for (const std::size_t longest : {3, 12, 63, 64, 65, 90})
    for (int i = 0; i < 100; ++i) {
      const auto word = [&] {
        std::u32string letters(random.index(longest + 1), U'a');
        for (char32_t& letter : letters) letter = U'a' + static_cast<char32_t>(random.index(3));
        return letters;
      };
      const std::u32string a = word(), b = i % 2 == 0 ? word() : a.substr(0, a.size() / 2) + U"b" + a;
      ASSERT_EQ(edit_distance(a, b), slow_edit_distance(a, b)) << a.size() << ' ' << b.size();
    }
}

TEST(EditDistance, IsADistance) {
  Random random(3);
  const auto word = [&] {
    std::u32string letters;
    for (std::size_t i = random.index(7); i-- > 0;) letters.push_back(static_cast<char32_t>('a' + random.index(3)));
    return letters;
  };
  for (int i = 0; i < 300; ++i) {
    const std::u32string a = word(), b = word(), c = word();
    EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
    EXPECT_LE(edit_distance(a, c), edit_distance(a, b) + edit_distance(b, c));
    EXPECT_EQ(edit_distance(a, b) == 0, a == b);
  }
}

TEST(CommonPrefix, KnownAnswers) {
  EXPECT_EQ(common_prefix(U"nation", U"nacion"), 2u);
  EXPECT_EQ(common_prefix(U"a", U"ab"), 1u);
  EXPECT_EQ(common_prefix(U"", U"ab"), 0u);
}

TEST(LookAlikes, DifferInALetterAtMost) {
  const Vocabulary words = vocabulary_of({"carpet", "carpeta", "casa", "case", "Gift", "1990", "es", "carps", "arpet"});
  const LookAlikes alike(words, words.size());
  EXPECT_THAT(alike.find("carpet"), ElementsAre(0, 1, 8));
  EXPECT_THAT(alike.find("carpat"), ElementsAre(0)) << "a letter changed";
  EXPECT_THAT(alike.find("gift"), ElementsAre(4)) << "letter case aside";
  EXPECT_THAT(alike.find("casa"), ElementsAre(2)) << "short words must be equal";
  EXPECT_THAT(alike.find("1990"), IsEmpty());
  EXPECT_THAT(alike.find("es"), IsEmpty());
  EXPECT_THAT(alike.find(""), IsEmpty());
  EXPECT_THAT(LookAlikes(words, 1).find("carpet"), ElementsAre(0)) << "the first words only";
}

TEST(LookAlikes, FindsWhatComparingAllFinds) {
  std::mt19937 random(1);
  Vocabulary words;
  for (int tries = 0; tries < 300; ++tries) {
    std::string word;
    for (std::size_t i = 0; i < 4 + random() % 3; ++i) word += static_cast<char>('a' + random() % 2);
    words.add(word + "x");
  }
  const LookAlikes alike(words, words.size());
  for (WordId i = 0; i < words.size(); ++i) {
    std::vector<WordId> expected;
    for (WordId j = 0; j < words.size(); ++j) {
      const double most = static_cast<double>(std::max(words[i].size(), words[j].size()));
      if (i == j || spelling_similarity(words[i], words[j]) >= 1 - 1.001 / most) expected.push_back(j);
    }
    EXPECT_EQ(alike.find(words[i]), expected) << words[i];
  }
}

}  // namespace

}  // namespace wordbridge::spelling_test
