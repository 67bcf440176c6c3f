#include "vectors/formats/npy.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"
#include "vectors/formats/npy_header.h"
#include "wordbridge/error.h"

namespace wordbridge::npy_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kFolder = WORDBRIDGE_SOURCE_DIR "/tests/formats/numpy/";

class Npy : public ::testing::Test {
 protected:
  /// Reads the table with the words that the vocabulary file has.
  CollectedVectors read(const std::string& table, const std::string& words, ReadOptions options = {},
                        bool size_known = true) {
    options.vocabulary_path = folder_.write("words", words);
    return collect(*open_npy(std::make_unique<MemoryStream>(table, size_known), options));
  }
  std::string error_of(const std::string& table, const std::string& words, const ReadOptions& options = {},
                       bool size_known = true) {
    return input_error_of([&] { read(table, words, options, size_known); });
  }
  TemporaryFolder folder_;
};

std::string table_of(std::uint64_t rows, std::uint64_t cols, const std::string& numbers) {
  return make_npy_header(rows, cols) + numbers;
}
const std::string kTable = table_of(2, 3, floats({1, -2, 0.5F, 0, 3e-40F, 7}));

TEST_F(Npy, ReadsWhatNumPyWrote) {
  for (const std::string name : {"float16", "float32", "float64", "big-endian", "fortran", "version2", "version3"}) {
    ReadOptions options;
    options.vocabulary_path = kFolder + "words.txt";
    const auto vectors = collect(*open_npy(open_bytes(kFolder + name + ".npy"), options));
    EXPECT_THAT(vectors.words, ElementsAre("cat", "Zürich", "New York"));
    EXPECT_THAT(vectors.values, ElementsAre(1, -2, 0.5F, 0, 65504, 6.103515625e-05F, 5.960464477539063e-08F, 0, 1024))
        << name;
    EXPECT_TRUE(std::signbit(vectors.values[7]));
    EXPECT_EQ(vectors.summary.spaced_words, 1U);
    EXPECT_EQ(vectors.summary.format, "NumPy");
  }
}

TEST_F(Npy, ReadsAPairOfOurOwn) {
  const auto vectors = collect(*open_npy(open_bytes(kFolder + "own.npy"), {}));
  EXPECT_THAT(vectors.words, ElementsAre("cat", "Zürich", "New York"));
  EXPECT_THAT(vectors.values, ElementsAre(1, -2, 0.5F));
}

TEST_F(Npy, ReadsHandMadeBytes) {
  for (const bool size_known : {true, false}) {
    const auto vectors = read(kTable, "cat\nZürich\n", {}, size_known);
    EXPECT_THAT(vectors.words, ElementsAre("cat", "Zürich"));
    EXPECT_THAT(vectors.values, ElementsAre(1, -2, 0.5F, 0, 3e-40F, 7));
    EXPECT_EQ(vectors.summary.header_rows, 2U);
  }
}

TEST_F(Npy, FortranOrderFromAPipeAndInSeveralBlocks) {
  const std::size_t rows = 9000, cols = 3;
  const auto sample = sample_vectors(rows, cols, 4);
  std::string dictionary = "{'descr': '<f4', 'fortran_order': True, 'shape': (9000, 3), }\n";
  std::string bytes =
      std::string("\x93NUMPY\1\0", 8) + bytes_of(static_cast<std::uint16_t>(dictionary.size())) + dictionary;
  for (std::size_t j = 0; j < cols; ++j)
    for (std::size_t i = 0; i < rows; ++i) bytes += bytes_of(sample.rows(i, j));
  std::string words;
  for (const std::string& word : sample.words) words += word + "\n";
  for (const bool size_known : {true, false}) {
    const auto vectors = read(bytes, words, {}, size_known);
    EXPECT_EQ(vectors.words, sample.words);
    EXPECT_TRUE(same_bits(vectors.values, sample.rows.elements()));
  }
  EXPECT_NE(error_of(bytes.substr(0, bytes.size() - 1), words), "");
  EXPECT_NE(error_of(bytes.substr(0, bytes.size() - 1), words, {}, false), "");
}

TEST_F(Npy, LooksForTheWordsBesideTheTable) {
  const std::string path = folder_.write("x.npy", kTable);
  const auto words = [&] { return collect(*open_npy(open_bytes(path), {})).words; };
  EXPECT_THAT(input_error_of([&] { words(); }), AllOf(HasSubstr("x.npy: no words"), HasSubstr("x.vocab,"),
                                                      HasSubstr("x.txt or "), HasSubstr("x.vocab.txt")));
  folder_.write("x.vocab.txt", "5\n6\n");
  EXPECT_THAT(words(), ElementsAre("5", "6"));
  folder_.write("x.txt", "3\n4\n");
  EXPECT_THAT(words(), ElementsAre("3", "4"));
  folder_.write("x.vocab", "1\n2\n");
  EXPECT_THAT(words(), ElementsAre("1", "2"));
  EXPECT_NE(input_error_of([&] {
              ReadOptions options;
              options.vocabulary_path = folder_.path("missing");
              collect(*open_npy(open_bytes(path), options));
            }),
            "");
}

TEST_F(Npy, AnotherNumberOfWordsThanOfRowsIsDamage) {
  EXPECT_THAT(error_of(kTable, "a\n"), AllOf(HasSubstr("the table has 2 rows"), HasSubstr("has 1 word")));
  EXPECT_THAT(error_of(kTable, "a\nb\nc\n"), HasSubstr("has 3 words"));
  EXPECT_THAT(error_of(kTable, ""), HasSubstr("has 0 words"));
  EXPECT_EQ(error_of(kTable, "a\nb\n\n\n"), "");  // blank lines at the end
  const auto fewer = read(kTable, "a\n", {.lenient = true});
  EXPECT_THAT(fewer.words, ElementsAre("a"));
  EXPECT_EQ(fewer.summary.skipped_rows, 1U);
  EXPECT_THAT(read(kTable, "a\nb\nc", {.lenient = true}).words, ElementsAre("a", "b"));
}

TEST_F(Npy, CountsHarmlessDirt) {
  const auto vectors = read(table_of(4, 1, floats({1, 2, 0, 4})),
                            "\xEF\xBB\xBF"
                            "a b\r\n\r\n\xff\r\nd");
  EXPECT_THAT(vectors.words, ElementsAre("a b", "\xff", "d"));
  EXPECT_THAT(vectors.values, ElementsAre(1, 0, 4));
  EXPECT_TRUE(vectors.summary.byte_order_mark && vectors.summary.carriage_returns);
  EXPECT_EQ(vectors.summary.empty_words, 1U);
  EXPECT_EQ(vectors.summary.invalid_utf8, 1U);
  EXPECT_EQ(vectors.summary.zero_rows, 1U);
}

TEST_F(Npy, NanInfinityAndOverflowAreDamage) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::string bad = table_of(2, 1, floats({-infinity, 2}));
  EXPECT_THAT(error_of(bad, "a\nb"), HasSubstr("row 1 ('a'): the vector holds NaN or infinity"));
  EXPECT_THAT(read(bad, "a\nb", {.lenient = true}).words, ElementsAre("b"));
  std::string wide = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)}";
  wide = std::string("\x93NUMPY\1\0", 8) + bytes_of(static_cast<std::uint16_t>(wide.size())) + wide;
  EXPECT_THAT(error_of(wide + bytes_of(1e39), "a"), HasSubstr("NaN or infinity"));
  EXPECT_THAT(read(wide + bytes_of(0.1), "a").values, ElementsAre(0.1F));
  std::string half = "{'descr': '>f2', 'fortran_order': False, 'shape': (1, 1)}";
  half = std::string("\x93NUMPY\1\0", 8) + bytes_of(static_cast<std::uint16_t>(half.size())) + half;
  EXPECT_THAT(error_of(half + std::string("\x7c\x00", 2), "a"), HasSubstr("NaN or infinity"));
  EXPECT_THAT(error_of(half + std::string("\xfc\x01", 2), "a"), HasSubstr("NaN or infinity"));
}

TEST_F(Npy, TruncationAndMoreBytesAreDamage) {
  for (const bool size_known : {true, false}) {
    for (std::size_t length = 0; length < kTable.size(); ++length)
      EXPECT_NE(error_of(kTable.substr(0, length), "a\nb\n", {}, size_known), "") << length;
    EXPECT_THAT(error_of(kTable + "x", "a\nb\n", {}, size_known),
                HasSubstr(size_known ? "1 byte follows the table" : "more bytes follow the table"));
    const auto cut = read(kTable.substr(0, kTable.size() - 1), "a\nb\n", {.lenient = true}, size_known);
    EXPECT_THAT(cut.words, ElementsAre("a"));
    EXPECT_EQ(cut.summary.skipped_rows, 1U);
    EXPECT_THAT(cut.summary.first_skipped, HasSubstr("the file ends in row 2 of 2"));
  }
  EXPECT_THAT(error_of(table_of(std::uint64_t{1} << 40, 300, ""), "a\n"), HasSubstr("only 0 are left"));
  EXPECT_NE(error_of(table_of(std::uint64_t{1} << 40, 300, ""), "a\n", {}, false), "");
  EXPECT_THAT(error_of(table_of(0, 3, ""), ""), HasSubstr("holds no word vectors"));
}

TEST_F(Npy, StopsAfterMaxWords) {
  const auto one = read(kTable, "a\nb\n", {.max_words = 1});
  EXPECT_THAT(one.words, ElementsAre("a"));
  EXPECT_TRUE(one.summary.stopped_early);
  EXPECT_FALSE(read(kTable, "a\nb\n", {.max_words = 2}).summary.stopped_early);
}

TEST_F(Npy, RoundTripIsBitExactWhateverCountWasExpected) {
  auto sample = sample_vectors(9000, 7, 1);
  sample.words[1] = "New York";
  const std::optional<std::uint64_t> expectations[] = {std::nullopt, 5, 9000, 100'000};
  for (const auto& expected : expectations) {
    const auto sink = create_npy(folder_.path("y.npy"), 7, expected);
    sink->write(sample.words, sample.rows);
    sink->finish();
    const auto vectors = collect(*open_npy(open_bytes(folder_.path("y.npy")), {}));
    EXPECT_EQ(vectors.words, sample.words);
    EXPECT_TRUE(same_bits(vectors.values, sample.rows.elements()));
  }
  EXPECT_TRUE(folder_.has("y.vocab"));
}

TEST_F(Npy, APairOfWhichOneFileWasReplacedIsRefused) {
  const auto make = [&](const std::vector<std::string>& words) {
    const auto sink = create_npy(folder_.path("y.npy"), 1, 2);
    sink->write(words, Matrix(2, 1));
    sink->finish();
  };
  make({"a", "b"});
  const std::string old_table = folder_.read("y.npy"), old_words = folder_.read("y.vocab");
  make({"a", "c"});
  const std::string new_table = folder_.read("y.npy"), new_words = folder_.read("y.vocab");
  const auto read_pair = [&](const std::string& table, const std::string& words, const ReadOptions& options = {}) {
    folder_.write("y.npy", table);
    folder_.write("y.vocab", words);
    return collect(*open_npy(open_bytes(folder_.path("y.npy")), options)).words;
  };
  for (const bool lenient : {false, true}) {
    const ReadOptions options{.lenient = lenient};
    EXPECT_THAT(input_error_of([&] { read_pair(new_table, old_words, options); }),
                HasSubstr("y.vocab does not hold the words that were written with this table"));
    EXPECT_NE(input_error_of([&] { read_pair(old_table, new_words, options); }), "");
  }
  EXPECT_THAT(read_pair(old_table, old_words), ElementsAre("a", "b"));
  EXPECT_THAT(read_pair(new_table,
                        "\xEF\xBB\xBF"
                        "a\r\nc"),
              ElementsAre("a", "c"))
      << "the words count, not the bytes";
  EXPECT_THAT(read_pair(new_table, "x\ny\n", {.vocabulary_path = folder_.path("y.vocab")}), ElementsAre("x", "y"));
  EXPECT_THAT(read_pair(table_of(2, 1, floats({1, 2})), "x\ny\n"), ElementsAre("x", "y")) << "of others";
}

TEST_F(Npy, APipeCannotHoldTwoFiles) {
  EXPECT_THROW(create_npy("/dev/null", 1, 1), UsageError);
  EXPECT_FALSE(folder_.has("null.vocab"));
}

TEST_F(Npy, NothingAppearsBeforeTheEnd) {
  {
    const auto sink = create_npy(folder_.path("z.npy"), 1, 1);
    sink->write({"a"}, Matrix(1, 1));
    EXPECT_FALSE(folder_.has("z.npy") || folder_.has("z.vocab"));
  }
  EXPECT_EQ(folder_.files(), 0U);
}

TEST_F(Npy, RefusesWordsThatALineCannotHold) {
  for (const std::string word : {"", "a\nb", "a\r", "\xEF\xBB\xBFx"}) {
    const auto sink = create_npy(folder_.path("z.npy"), 1, 1);
    EXPECT_THAT(input_error_of([&] { sink->write({word}, Matrix(1, 1)); }), HasSubstr("cannot write row 1")) << word;
  }
}

TEST_F(Npy, IsRecognized) {
  EXPECT_TRUE(looks_like_npy(kTable));
  EXPECT_FALSE(looks_like_npy("\x93NUMP"));
  EXPECT_FALSE(looks_like_npy("2 3\ncat 1 2 3\n"));
}

}  // namespace
}  // namespace wordbridge::npy_test
