#include "lexicon/word_pairs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/escaped_text.h"
#include "base/random.h"
#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "lexicon/word_pairs_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::word_pairs_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

WordPairs parse(std::string text, const WordPairOptions& options = {}) {
  MemoryStream stream(std::move(text), true, "lexicon.txt");
  return read_word_pairs(stream, options);
}

std::string error_of(std::string text, const WordPairOptions& options = {}) {
  try {
    parse(std::move(text), options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

WordPairs::Pair pair(std::string source, std::string target) { return {std::move(source), std::move(target)}; }

TEST(WordPairs, BlanksOrTabs) {
  EXPECT_THAT(parse("the el\nhouse\tcasa\ncat   gato\n").pairs,
              ElementsAre(pair("the", "el"), pair("house", "casa"), pair("cat", "gato")));
}

TEST(WordPairs, EscapesOfTabSeparatedLinesAreUndone) {
  EXPECT_THAT(parse("a\\tb\tc\\nd\n\\x23 x\t\\\\y\t0.5\n").pairs,
              ElementsAre(pair("a\tb", "c\nd"), WordPairs::Pair{"# x", "\\y", 0.5}));
  EXPECT_THAT(parse("a\\tb c\\nd\n").pairs, ElementsAre(pair("a\\tb", "c\\nd")))
      << "blanks separate: nothing is escaped";
  EXPECT_THAT(parse("AC\\DC\t\\\n").pairs, ElementsAre(pair("AC\\DC", "\\")));
}

TEST(WordPairs, AnyWordsComeBackFromEscapedFields) {
  const std::string alphabet = std::string("ab \t\n\r\\#\x1b\x7f\xC2\x85\xFF") + '\0';
  Random random(2);
  std::string text = "# source\ttarget\n";
  std::vector<WordPairs::Pair> pairs;
  const auto word = [&] {
    std::string result;
    for (std::size_t length = 1 + random.index(5); result.size() < length;)
      result += alphabet[random.index(alphabet.size())];
    return result;
  };
  for (int i = 0; i < 2000; ++i) {
    const auto made = pair(word() + "/" + std::to_string(i), word());
    pairs.push_back(i % 2 == 0 ? made : pair(made.target, made.source));
    text += escape_field(pairs.back().source) + "\t" + escape_field(pairs.back().target) + "\t0.5\t1\n";
  }
  EXPECT_EQ(parse(text).pairs, pairs);
}

TEST(WordPairs, PairsAreDistinctWhateverTheirBytes) {
  EXPECT_THAT(parse("a\\nb\tc\na\tb\\nc\n").pairs, ElementsAre(pair("a\nb", "c"), pair("a", "b\nc")));
}

TEST(WordPairs, ACutCompressedFileIsNoticed) {
  const TemporaryFolder folder;
  const auto sink = create_bytes(folder.path("lexicon.gz"));
  Random random(3);
  for (int i = 0; i < 1000; ++i) sink->write(fmt::format("{} {}\n", random.index(1000), random.index(1000)));
  sink->finish();
  const std::string bytes = folder.read("lexicon.gz");
  EXPECT_EQ(read_word_pairs(folder.path("lexicon.gz")).lines, 1000u);
  for (const std::size_t length : {bytes.size() - 1, bytes.size() - 9, bytes.size() / 2})
    EXPECT_THROW(read_word_pairs(folder.write("cut.gz", bytes.substr(0, length))), InputError) << length;
}

TEST(WordPairs, TabWinsOverBlanks) {
  EXPECT_THAT(parse("New York\tNueva York\n a b \t c d \n").pairs,
              ElementsAre(pair("New York", "Nueva York"), pair("a b", "c d")));
}

TEST(WordPairs, FurtherColumnsAreIgnored) {
  EXPECT_THAT(parse("house\tcasa\t0.83\t1\t0.2\ncat\tgato\t\n").pairs,
              ElementsAre(pair("house", "casa"), pair("cat", "gato")));
}

TEST(WordPairs, AThirdColumnIsAWeight) {
  EXPECT_THAT(parse("a\tb\t0.25\na\tc\t 2e-1 \r\na\td\t0\na\tb\t3\na\te\n").pairs,
              ElementsAre(WordPairs::Pair{"a", "b", 0.25}, WordPairs::Pair{"a", "c", 0.2}, WordPairs::Pair{"a", "d", 0},
                          pair("a", "e")));
  for (const std::string wrong : {"x", "-1", "-0.5", "inf", "nan", "1e999", "0.5x", "0,5", "+1", "1 2"})
    EXPECT_THAT(error_of("a b\nc\td\t" + wrong + "\n"), StartsWith("lexicon.txt:2: '" + wrong + "' is no weight"));
  EXPECT_EQ(parse("a b\nc\td\tx\n", {.lenient = true}).skipped_lines, 1u);
  EXPECT_THAT(parse("a\tb\tx\ty\nc\td\t-1\t2\t3\n").pairs, ElementsAre(pair("a", "b"), pair("c", "d")));
}

TEST(WordPairs, LinesGiveThePairsBack) {
  for (const double weight : {1.0, 0.0, 0.1, 1e-300, 12345.678, 1.0 / 3}) {
    const WordPairs::Pair written{"a\tb", "# c", weight};
    EXPECT_THAT(parse(to_line(written)).pairs, ElementsAre(written));
  }
  EXPECT_EQ(to_line({"a", "b"}), "a\tb\n");
}

TEST(WordPairs, OtherBlanksBelongToWords) {
  EXPECT_THAT(parse("a\u00a0b c\u3000d\n").pairs, ElementsAre(pair("a\u00a0b", "c\u3000d")));
}

TEST(WordPairs, ByteOrderMarkCarriageReturnsBlankLinesNoLastNewline) {
  const WordPairs read = parse("\xef\xbb\xbfthe el\r\n\r\n  \n\t\n  cat gato  \r\ndog perro");
  EXPECT_THAT(read.pairs, ElementsAre(pair("the", "el"), pair("cat", "gato"), pair("dog", "perro")));
  EXPECT_EQ(read.lines, 3u);
}

TEST(WordPairs, Comments) {
  EXPECT_THAT(
      parse("# two words\n#\n##\n#comment\n#more than two words\n# source\ttarget\tscore\n  # x y\nthe el\n").pairs,
      ElementsAre(pair("the", "el")));
}

// MUSE dictionaries hold pairs of hashtags, which must not vanish as comments.
TEST(WordPairs, WordsThatBeginWithTheCommentSign) {
  EXPECT_THAT(parse("#the #der\n#\t#\n#a\tb\nx #\n").pairs,
              ElementsAre(pair("#the", "#der"), pair("#", "#"), pair("#a", "b"), pair("x", "#")));
}

TEST(WordPairs, DuplicatesAreCountedOnce) {
  const WordPairs read = parse("a b\na\tb\na c\na b\n");
  EXPECT_THAT(read.pairs, ElementsAre(pair("a", "b"), pair("a", "c")));
  EXPECT_EQ(read.lines, 4u);
  EXPECT_EQ(read.duplicates, 2u);
}

TEST(WordPairs, EqualWordsAreDroppedOnRequest) {
  EXPECT_EQ(parse("a a\nb c\n").identical, 0u);
  const WordPairs read = parse("a a\nb c\nA a\na a\n", {.drop_identical = true});
  EXPECT_THAT(read.pairs, ElementsAre(pair("b", "c"), pair("A", "a")));
  EXPECT_EQ(read.identical, 2u);
  EXPECT_EQ(read.lines, 4u);
  EXPECT_EQ(read.duplicates, 0u);
}

TEST(WordPairs, InvalidUtf8IsKept) { EXPECT_THAT(parse("a\xff b\xfe\n").pairs, ElementsAre(pair("a\xff", "b\xfe"))); }

TEST(WordPairs, LinesThatAreNoPair) {
  EXPECT_THAT(error_of("the el\nhouse\n"), StartsWith("lexicon.txt:2: one word only"));
  EXPECT_THAT(error_of("new york nueva york\n"), StartsWith("lexicon.txt:1: 4 words separated by blanks"));
  EXPECT_THAT(error_of("a b\n\n# c\n\tb c\n"), StartsWith("lexicon.txt:4: no source word"));
  EXPECT_THAT(error_of("a\t \tc\n"), StartsWith("lexicon.txt:1: no target word"));
  EXPECT_THAT(error_of("a\t\n"), StartsWith("lexicon.txt:1: one word only"));
  EXPECT_THAT(error_of(std::string("a b\na\0b c\n", 10)), StartsWith("lexicon.txt:2: a NUL byte"));
}

TEST(WordPairs, VectorsGivenForALexicon) {
  std::string text = "2 50\nhouse";
  for (int i = 0; i < 50; ++i) text += " 0.25";
  EXPECT_THAT(error_of(text + "\n"), HasSubstr("is this a file of vectors?"));
  EXPECT_THAT(error_of("a b\n" + std::string(65 << 20, 'x')), StartsWith("lexicon.txt:2: a line of more than"));
}

TEST(WordPairs, LenientSkipsAndCounts) {
  const WordPairs read = parse("one\na b\nx y z\n", {.lenient = true});
  EXPECT_THAT(read.pairs, ElementsAre(pair("a", "b")));
  EXPECT_EQ(read.skipped_lines, 2u);
  EXPECT_EQ(read.lines, 1u);
  EXPECT_THAT(read.first_skipped, StartsWith("lexicon.txt:1: one word only"));
}

TEST(WordPairs, NothingInIt) {
  EXPECT_EQ(error_of(""), "lexicon.txt: no pair of words in it");
  EXPECT_EQ(error_of("# only a comment\n\n"), "lexicon.txt: no pair of words in it");
  EXPECT_THAT(error_of("a a\n", {.drop_identical = true}), HasSubstr("1 pair of two equal words"));
  EXPECT_THAT(error_of("a\n", {.lenient = true}), HasSubstr("1 line skipped, first: lexicon.txt:1: one word only"));
}

// Every position of the buffer's edge: pairs must not be cut or doubled there.
TEST(WordPairs, LinesAcrossBuffers) {
  for (std::size_t shift = 0; shift < 9; ++shift) {
    std::string text(shift, ' ');
    text += "\n";
    const std::size_t count = 20000;
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("s{0} t{0}\n", i);
    const WordPairs read = parse(text);
    ASSERT_EQ(read.pairs.size(), count);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(read.pairs[i], pair(fmt::format("s{}", i), fmt::format("t{}", i)));
  }
}

TEST(WordPairs, FromAFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_word_pairs(folder.write("lexicon.txt", "the el\n")).pairs, ElementsAre(pair("the", "el")));
  EXPECT_THROW(read_word_pairs(folder.path("none.txt")), IoError);
}

TEST(WordPairs, FromACompressedFile) {
  const TemporaryFolder folder;
  for (const char* name : {"lexicon.txt.gz", "lexicon.txt.zst", "lexicon.txt.xz", "lexicon.txt.bz2"}) {
    const std::string path = folder.path(name);
    const auto sink = create_bytes(path);
    sink->write("the el\n#the #el\n");
    sink->finish();
    EXPECT_THAT(read_word_pairs(path).pairs, ElementsAre(pair("the", "el"), pair("#the", "#el")));
  }
}

TEST(PairFilter, KnownPairsAreNeverWanted) {
  for (const char* name : {"all", "new", "identical", "cognates"}) {
    const PairFilter filter(parse_pair_kind(name), pairs_of("taxi taxi\nnight noche\n"));
    EXPECT_FALSE(filter.wants("taxi", "taxi")) << name;
    EXPECT_TRUE(filter.knows("night", "noche"));
    EXPECT_FALSE(filter.knows("noche", "night"));
  }
}

TEST(PairFilter, Kinds) {
  const WordPairs known = pairs_of("night noche\n");
  EXPECT_TRUE(PairFilter(PairKind::all, known).wants("night", "tarde"));
  EXPECT_FALSE(PairFilter(PairKind::fresh, known).wants("night", "tarde"));
  EXPECT_TRUE(PairFilter(PairKind::fresh, known).wants("day", "noche"));
  EXPECT_TRUE(PairFilter(PairKind::identical).wants("hotel", "hotel"));
  EXPECT_FALSE(PairFilter(PairKind::identical).wants("hotel", "hoteles"));
  // 1 of 6 letters differs; 4 of 5 do; equal strings are no cognates.
  EXPECT_TRUE(PairFilter(PairKind::cognates).wants("animal", "animar"));
  EXPECT_FALSE(PairFilter(PairKind::cognates).wants("night", "noche"));
  EXPECT_FALSE(PairFilter(PairKind::cognates).wants("hotel", "hotel"));
}

TEST(PairFilter, UnknownKind) { EXPECT_THROW(parse_pair_kind("old"), UsageError); }

}  // namespace

}  // namespace wordbridge::word_pairs_test
