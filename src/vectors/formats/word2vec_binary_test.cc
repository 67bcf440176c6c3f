#include "vectors/formats/word2vec_binary.h"

#include <gmock/gmock.h>

#include <bit>
#include <limits>

#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"

namespace wordbridge::word2vec_binary_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

CollectedVectors read(const std::string& bytes, const ReadOptions& options = {}, bool size_known = true) {
  const auto source = open_word2vec_binary(std::make_unique<MemoryStream>(bytes, size_known), options);
  return collect(*source);
}
std::string error_of(const std::string& bytes, const ReadOptions& options = {}, bool size_known = true) {
  return input_error_of([&] { read(bytes, options, size_known); });
}

const std::string kTwoRows = "2 3\ncat " + floats({1, -2, 0.5F}) + "\nZürich " + floats({0, 3e-40F, 7}) + "\n";

TEST(Word2vecBinary, ReadsHandMadeBytes) {
  const auto vectors = read(kTwoRows);
  EXPECT_THAT(vectors.words, ElementsAre("cat", "Zürich"));
  EXPECT_THAT(vectors.values, ElementsAre(1, -2, 0.5F, 0, 3e-40F, 7));
  EXPECT_EQ(vectors.dimension, 3U);
  EXPECT_EQ(vectors.summary.rows, 2U);
  EXPECT_EQ(vectors.summary.header_rows, 2U);
  EXPECT_EQ(vectors.summary.format, "word2vec binary");
}

TEST(Word2vecBinary, TheLineBreakAfterAVectorMayBeMissing) {
  // 10.0 begins with two zero bytes, 2.5039e-41 with the bytes of a line break and a space: no byte of a vector may be
  // taken for a separator.
  const float tricky = std::bit_cast<float>(std::uint32_t{0x0000200A});
  const auto vectors = read("2 2\na " + floats({10, tricky}) + "b " + floats({tricky, 20}));
  EXPECT_THAT(vectors.words, ElementsAre("a", "b"));
  EXPECT_THAT(vectors.values, ElementsAre(10, tricky, tricky, 20));
}

TEST(Word2vecBinary, CountsHarmlessDirt) {
  const auto vectors = read("5 1\n\u00A0x " + floats({1}) + "\n " + floats({2}) + "\n\xff " + floats({3}) + "\nz " +
                            floats({-0.0F}) + "\nz " + floats({5}) + "\n");
  EXPECT_THAT(vectors.words, ElementsAre("\u00A0x", "\xff", "z", "z"));
  EXPECT_EQ(vectors.summary.spaced_words, 1U);
  EXPECT_EQ(vectors.summary.empty_words, 1U);
  EXPECT_EQ(vectors.summary.invalid_utf8, 1U);
  EXPECT_EQ(vectors.summary.zero_rows, 1U);
  EXPECT_EQ(vectors.summary.rows, 4U);
}

TEST(Word2vecBinary, ReadsRowsBeyondTheHeadersCount) {
  const auto vectors = read("1 1\na " + floats({1}) + "\nb " + floats({2}) + "\n");
  EXPECT_THAT(vectors.words, ElementsAre("a", "b"));
  EXPECT_EQ(vectors.summary.header_rows, 1U);
}

TEST(Word2vecBinary, StopsAfterMaxWords) {
  const auto one = read(kTwoRows, {.max_words = 1});
  EXPECT_THAT(one.words, ElementsAre("cat"));
  EXPECT_TRUE(one.summary.stopped_early);
  EXPECT_FALSE(read(kTwoRows, {.max_words = 2}).summary.stopped_early);
  EXPECT_EQ(error_of("2 1\na " + floats({1}) + "\nb " + floats({kNaN}), {.max_words = 1}), "");
}

TEST(Word2vecBinary, TruncationAnywhereIsDamage) {
  for (const bool size_known : {true, false}) {
    for (std::size_t length = 0; length + 1 < kTwoRows.size(); ++length)
      EXPECT_NE(error_of(kTwoRows.substr(0, length), {}, size_known), "") << length;
    EXPECT_EQ(error_of(kTwoRows.substr(0, kTwoRows.size() - 1), {}, size_known), "");
  }
  EXPECT_THAT(error_of(kTwoRows.substr(0, kTwoRows.size() - 3), {}, false),
              AllOf(HasSubstr("row 2 ('Zürich')"), HasSubstr("ends in the vector")));
  EXPECT_THAT(error_of(kTwoRows.substr(0, 23), {}, false), HasSubstr("row 2: the file ends in the word"));
  EXPECT_THAT(error_of(kTwoRows.substr(0, 21), {}, false), HasSubstr("promises 2 rows, the file ends after 1"));
}

TEST(Word2vecBinary, LenientKeepsWhatIsWhole) {
  for (std::size_t length = 20; length + 1 < kTwoRows.size(); ++length) {
    const auto vectors = read(kTwoRows.substr(0, length), {.lenient = true});
    EXPECT_THAT(vectors.words, ElementsAre("cat"));
    EXPECT_EQ(vectors.summary.skipped_rows, length > 21 ? 1U : 0U) << length;
    EXPECT_THAT(vectors.summary.first_skipped, HasSubstr("memory: "));
  }
  EXPECT_THAT(error_of(kTwoRows.substr(0, 19), {.lenient = true}), HasSubstr("no usable word vectors"));
}

TEST(Word2vecBinary, NanAndInfinityAreDamage) {
  for (const float bad : {kNaN, kInfinity, -kInfinity}) {
    const std::string bytes = "2 2\na " + floats({1, bad}) + "\nb " + floats({3, 4}) + "\n";
    EXPECT_THAT(error_of(bytes), HasSubstr("row 1 ('a'): the vector holds NaN or infinity"));
    const auto vectors = read(bytes, {.lenient = true});
    EXPECT_THAT(vectors.words, ElementsAre("b"));
    EXPECT_THAT(vectors.values, ElementsAre(3, 4));
    EXPECT_EQ(vectors.summary.skipped_rows, 1U);
  }
}

TEST(Word2vecBinary, ALineBreakInsideAWordIsDamage) {
  const std::string bytes = "2 1\na\nb " + floats({1}) + "\nc " + floats({2}) + "\n";
  EXPECT_THAT(error_of(bytes), HasSubstr("row 1 ('a\\x0ab'): the word holds a line break"));
  EXPECT_THAT(read(bytes, {.lenient = true}).words, ElementsAre("c"));
}

TEST(Word2vecBinary, HostileHeaders) {
  const std::string row = "a " + floats({1});
  for (const std::string header :
       {"", "\n", "1\n", "x 1\n", "1 x\n", "1 1 1\n", "-1 1\n", "1 -1\n", "0 0\n", "1 0\n", "1 18446744073709551615\n",
        "1 99999999999999999999\n", "99999999999999999999 1\n", "18446744073709551615 1\n", "1 4611686018427387904\n",
        "4611686018427387904 4\n", "3 1\n"})
    for (const bool size_known : {true, false}) EXPECT_NE(error_of(header + row, {}, size_known), "") << header;
  EXPECT_THAT(error_of("1000 1\n" + row), HasSubstr("promises 1000 rows of dimension 1, the file can hold 1 at most"));
  EXPECT_NE(error_of(""), "");
  EXPECT_NE(error_of("0 5\n"), "");
  EXPECT_THAT(error_of("1 1\n" + std::string(100'000, 'x') + row), HasSubstr("no space ends the word"));
}

TEST(Word2vecBinary, WritesWhatTheFormatSays) {
  const TemporaryFolder folder;
  Matrix rows(2, 3);
  std::copy_n(std::initializer_list<float>{1, -2, 0.5F, 0, 3e-40F, 7}.begin(), 6, rows.data());
  const auto sink = create_word2vec_binary(folder.path("x.bin"), 3, 2);
  sink->write({"cat", "Zürich"}, rows);
  EXPECT_FALSE(folder.has("x.bin"));
  sink->finish();
  EXPECT_EQ(folder.read("x.bin"), kTwoRows);
}

TEST(Word2vecBinary, RoundTripIsBitExactWhateverCountWasExpected) {
  const TemporaryFolder folder;
  const auto sample = sample_vectors(1234, 7, 1);
  const std::optional<std::uint64_t> expectations[] = {std::nullopt, 0, 5, 999, 1234, 1235, 100'000};
  for (const auto& expected : expectations) {
    const auto sink = create_word2vec_binary(folder.path("x.bin"), 7, expected);
    for (std::size_t begin = 0; begin < 1234; begin += 100) {
      const std::size_t end = std::min<std::size_t>(begin + 100, 1234);
      sink->write({sample.words.begin() + static_cast<long>(begin), sample.words.begin() + static_cast<long>(end)},
                  sample.rows.view().slice(begin, end));
    }
    sink->finish();
    const auto vectors = read(folder.read("x.bin"));
    EXPECT_EQ(vectors.words, sample.words);
    EXPECT_TRUE(same_bits(vectors.values, sample.rows.elements()));
    EXPECT_EQ(vectors.summary.header_rows, 1234U);
  }
  EXPECT_EQ(folder.files(), 1U);
}

TEST(Word2vecBinary, RefusesWordsThatItCannotRepresent) {
  const TemporaryFolder folder;
  for (const std::string word : {"New York", "a\nb", ""}) {
    const auto sink = create_word2vec_binary(folder.path("x.bin"), 1, 2);
    EXPECT_THAT(input_error_of([&] { sink->write({"fine", word}, Matrix(2, 1)); }), HasSubstr("cannot write row 2"));
  }
  EXPECT_EQ(folder.files(), 0U);
  const auto sink = create_word2vec_binary(folder.path("x.bin"), 1, 1);
  sink->write({"New\u00A0York"}, Matrix(1, 1));
  sink->finish();
  EXPECT_THAT(read(folder.read("x.bin")).words, ElementsAre("New\u00A0York"));
}

TEST(Word2vecBinary, IsToldFromText) {
  EXPECT_TRUE(looks_like_word2vec_binary(kTwoRows));
  EXPECT_TRUE(looks_like_word2vec_binary("1 1\na " + floats({0})));
  EXPECT_TRUE(looks_like_word2vec_binary("1 3\n</s> " + floats({0, 0, 0})));
  EXPECT_TRUE(looks_like_word2vec_binary("0000000001 1\na " + floats({1})));
  for (const std::string text :
       {"", "2 3", "2 3\n", "2 3\ncat 1 -2 0.5\nZürich 0 3e-40 7\n", "2 3\r\ncat 1 -2 0.5 \r\n", "cat 1 -2 0.5\n",
        "2 3\na b 1 nan inf\n", "2 3\n\xff\xfe 1 2 3\n\xff 1 2 3\n", "2 3\ncat one two three\n", "2 3\ncat 1 2\n",
        "2 3\n\ncat 1 2 3\n", "2 1\n\x01 1\n", "<html>\n<body>\n", "2 3\n\xe5\x8c\x97 \xe4\xba\xac 1 2\n"})
    EXPECT_FALSE(looks_like_word2vec_binary(text)) << text;
  std::string wide = "1 20000\nword";
  for (int i = 0; i < 20000; ++i) wide += " -0.123";
  EXPECT_FALSE(looks_like_word2vec_binary(wide.substr(0, 65536)));
}

TEST(Word2vecBinary, RandomBinaryFilesAreNotTakenForText) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::size_t dimension = 1 + seed % 60;
    const auto sample = sample_vectors(40, dimension, seed);
    for (const char* separator : {"", "\n"}) {
      std::string bytes = "40 " + std::to_string(dimension) + "\n";
      for (std::size_t i = 0; i < 40; ++i) {
        bytes += sample.words[i] + " ";
        bytes.append(reinterpret_cast<const char*>(sample.rows.row(i).data()), dimension * sizeof(float));
        bytes += separator;
      }
      EXPECT_TRUE(looks_like_word2vec_binary(bytes)) << seed;
    }
  }
}

}  // namespace
}  // namespace wordbridge::word2vec_binary_test
