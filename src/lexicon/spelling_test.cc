#include "lexicon/spelling.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "parallel/threads_test_support.h"

namespace wordbridge::spelling_test {
namespace {

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

}  // namespace
}  // namespace wordbridge::spelling_test
