#include "vectors/formats/item_table.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"
#include "vectors/formats/npy.h"
#include "wordbridge/error.h"

namespace wordbridge::item_table_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kFolder = WORDBRIDGE_SOURCE_DIR "/tests/formats/numpy/";

class ItemTable : public ::testing::Test {
 protected:
  /// Reads the table with the words that the vocabulary file has.
  CollectedVectors read(const std::string& table, const std::string& words, ReadOptions options = {},
                        bool size_known = true) {
    options.vocabulary_path = folder_.write("words", words);
    return collect(*open_item_table(std::make_unique<MemoryStream>(table, size_known), options));
  }
  std::string error_of(const std::string& table, const std::string& words, const ReadOptions& options = {},
                       bool size_known = true) {
    return input_error_of([&] { read(table, words, options, size_known); });
  }
  TemporaryFolder folder_;
};

std::string table_of(std::uint64_t rows, std::uint64_t cols, const std::string& numbers) {
  return make_npy_header({.rows = rows, .cols = cols}) + numbers;
}
const std::string kTable = table_of(2, 3, floats({1, -2, 0.5F, 0, 3e-40F, 7}));

TEST_F(ItemTable, ReadsWhatNumPyWrote) {
  for (const std::string name : {"float16", "float32", "float64", "big-endian", "fortran", "version2", "version3"}) {
    ReadOptions options;
    options.vocabulary_path = kFolder + "words.txt";
    const auto vectors = collect(*open_item_table(open_bytes(kFolder + name + ".npy"), options));
    EXPECT_THAT(vectors.words, ElementsAre("cat", "Zürich", "New York"));
    EXPECT_THAT(vectors.values, ElementsAre(1, -2, 0.5F, 0, 65504, 6.103515625e-05F, 5.960464477539063e-08F, 0, 1024))
        << name;
    EXPECT_TRUE(std::signbit(vectors.values[7]));
    EXPECT_EQ(vectors.summary.spaced_words, 1U);
    EXPECT_EQ(vectors.summary.format, "NumPy");
  }
}

TEST_F(ItemTable, ReadsAPairOfOurOwn) {
  const auto vectors = collect(*open_item_table(open_bytes(kFolder + "own.npy"), {}));
  EXPECT_THAT(vectors.words, ElementsAre("cat", "Zürich", "New York"));
  EXPECT_THAT(vectors.values, ElementsAre(1, -2, 0.5F));
}

TEST_F(ItemTable, ReadsHandMadeBytes) {
  for (const bool size_known : {true, false}) {
    const auto vectors = read(kTable, "cat\nZürich\n", {}, size_known);
    EXPECT_THAT(vectors.words, ElementsAre("cat", "Zürich"));
    EXPECT_THAT(vectors.values, ElementsAre(1, -2, 0.5F, 0, 3e-40F, 7));
    EXPECT_EQ(vectors.summary.header_rows, 2U);
  }
}

TEST_F(ItemTable, FortranOrderFromAPipeAndInSeveralBlocks) {
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

TEST_F(ItemTable, LooksForTheWordsBesideTheTable) {
  const std::string path = folder_.write("x.npy", kTable);
  const auto words = [&] { return collect(*open_item_table(open_bytes(path), {})).words; };
  EXPECT_THAT(words(), ElementsAre("0", "1"));
  folder_.write("x.vocab.txt", "5\n6\n");
  EXPECT_THAT(words(), ElementsAre("5", "6"));
  folder_.write("x.txt", "3\n4\n");
  EXPECT_THAT(words(), ElementsAre("3", "4"));
  folder_.write("x.vocab", "1\n2\n");
  EXPECT_THAT(words(), ElementsAre("1", "2"));
  EXPECT_NE(input_error_of([&] {
              ReadOptions options;
              options.vocabulary_path = folder_.path("missing");
              collect(*open_item_table(open_bytes(path), options));
            }),
            "");
}

TEST_F(ItemTable, AnotherNumberOfWordsThanOfRowsIsDamage) {
  EXPECT_THAT(error_of(kTable, "a\n"), AllOf(HasSubstr("the table has 2 rows"), HasSubstr("has 1 word")));
  EXPECT_THAT(error_of(kTable, "a\nb\nc\n"), HasSubstr("has 3 words"));
  EXPECT_THAT(error_of(kTable, ""), HasSubstr("has 0 words"));
  EXPECT_EQ(error_of(kTable, "a\nb\n\n\n"), "");  // blank lines at the end
  const auto fewer = read(kTable, "a\n", {.lenient = true});
  EXPECT_THAT(fewer.words, ElementsAre("a"));
  EXPECT_EQ(fewer.summary.skipped_rows, 1U);
  EXPECT_THAT(read(kTable, "a\nb\nc", {.lenient = true}).words, ElementsAre("a", "b"));
}

TEST_F(ItemTable, CountsHarmlessDirt) {
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

TEST_F(ItemTable, NanInfinityAndOverflowAreDamage) {
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

TEST_F(ItemTable, TruncationAndMoreBytesAreDamage) {
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

TEST_F(ItemTable, StopsAfterMaxWords) {
  const auto one = read(kTable, "a\nb\n", {.max_words = 1});
  EXPECT_THAT(one.words, ElementsAre("a"));
  EXPECT_TRUE(one.summary.stopped_early);
  EXPECT_FALSE(read(kTable, "a\nb\n", {.max_words = 2}).summary.stopped_early);
}

TEST_F(ItemTable, IsRecognized) {
  EXPECT_TRUE(is_item_table(kTable, {}));
  EXPECT_TRUE(is_item_table("anything", {.format = "raw:f32:3"}));
  EXPECT_FALSE(is_item_table("\x93NUMP", {}));
  EXPECT_FALSE(is_item_table("2 3\ncat 1 2 3\n", {}));
}

TEST_F(ItemTable, RowsWithoutWordsAreItems) {
  const std::string path = folder_.write("x.npy", kTable);
  const WordVectors vectors = read_vectors(path);
  EXPECT_EQ(row_names(vectors.summary()), RowNames::numbers);
  EXPECT_THAT(vectors.summary().to_line(), HasSubstr("2 items x 3 (NumPy, numbered items)"));
  const WordVectors named = read_vectors(path, {.ids_path = folder_.write("ids", "s7\ns9\n")});
  EXPECT_EQ(row_names(named.summary()), RowNames::ids);
  EXPECT_EQ(named.vocabulary()[1], "s9");
  EXPECT_THAT(input_error_of([&] { read_vectors(path, {.ids_path = folder_.write("ids", "s7\n")}); }),
              AllOf(HasSubstr("the table has 2 rows"), HasSubstr("has 1 id")));
  folder_.write("x.vocab", "a\nb\n");
  EXPECT_EQ(row_names(read_vectors(path).summary()), RowNames::words);
  EXPECT_EQ(read_vectors(path, {.row_ids = true}).vocabulary()[1], "1");
  EXPECT_THROW(read_vectors(path, {.vocabulary_path = "a", .ids_path = "b"}), UsageError);
  EXPECT_THROW(read_vectors(folder_.write("t.vec", "1 1\na 1\n"), {.ids_path = "b"}), UsageError);
}

TEST_F(ItemTable, ATableThatWasWrittenWithoutWordsLooksForNone) {
  const auto sink = create_number_table(folder_.path("y.npy"), VectorFormat::npy, 1, 2, {.row_ids = true});
  sink->write({"0", "1"}, Matrix(2, 1));
  sink->finish();
  EXPECT_FALSE(folder_.has("y.vocab"));
  folder_.write("y.txt", "of something\nelse\n");
  EXPECT_EQ(read_vectors(folder_.path("y.npy")).vocabulary()[1], "1");
}

TEST_F(ItemTable, ATableThatWasWrittenWithWordsWantsThem) {
  const std::string path =
      folder_.write("y.npy", make_npy_header({.rows = 1, .cols = 1, .words_digest = 5}) + floats({1}));
  EXPECT_THAT(input_error_of([&] { read_vectors(path); }), HasSubstr("y.npy: the words that were written with this"));
  EXPECT_EQ(read_vectors(path, {.row_ids = true}).size(), 1U);
}

TEST_F(ItemTable, NumbersWithoutAHeader) {
  const std::string path = folder_.write("x.f32", floats({1, 2, 3, 4, 5, 6}));
  EXPECT_THAT(read_vectors(path, {.format = "raw:f32:3"}).table().elements(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(read_vectors(path, {.format = "raw:f64:1"}).size(), 3U);
  EXPECT_THAT(input_error_of([&] { read_vectors(path, {.format = "raw:f32:4"}); }),
              HasSubstr("24 bytes are no whole rows of 16 bytes"));
  EXPECT_THAT(input_error_of([&] { read_vectors(folder_.write("empty", ""), {.format = "raw:f32:4"}); }),
              HasSubstr("holds no word vectors"));
  for (const std::string format : {"raw", "raw:", "raw:f32", "raw:f32:", "raw:f32:0", "raw:i8:3", "raw:f32:3x",
                                   "raw:f32:99999999", "npy", "text", "rawf32"})
    EXPECT_THROW(read_vectors(path, {.format = format}), UsageError) << format;
}

TEST_F(ItemTable, ManyFilesAreOneTable) {
  const auto sample = sample_vectors(3000, 4, 3);
  const auto numbers = [&](std::size_t begin, std::size_t end) {
    return std::string(reinterpret_cast<const char*>(sample.rows.row(begin).data()), (end - begin) * 16);
  };
  folder_.write("part-b.npy", table_of(1000, 4, numbers(2000, 3000)));
  folder_.write("part-a.npy", table_of(2000, 4, numbers(0, 2000)));
  const std::string pattern = folder_.path("part-?.npy");
  const WordVectors vectors = read_vectors(pattern);
  EXPECT_TRUE(same_bits(vectors.table().elements(), sample.rows.elements()));
  EXPECT_EQ(vectors.vocabulary()[2999], "2999");
  EXPECT_THAT(vectors.summary().to_line(), HasSubstr("part-?.npy: 3000 items x 4 (NumPy, 2 files, numbered items)"));
  folder_.write("list", "part-b.npy\n\npart-a.npy\r\n");
  const WordVectors listed = read_vectors("@" + folder_.path("list"));
  EXPECT_TRUE(same_bits(listed.table().row(0), sample.rows.row(2000)));
  std::string ids;
  for (int i = 0; i < 3000; ++i) ids += "s" + std::to_string(i) + "\n";
  EXPECT_EQ(read_vectors(pattern, {.ids_path = folder_.write("ids", ids)}).vocabulary()[2500], "s2500");
  // Lists beside the files, where all have one.
  folder_.write("part-b.vocab", ids.substr(0, ids.find("s1000")));
  EXPECT_THAT(input_error_of([&] { read_vectors(pattern); }),
              AllOf(HasSubstr("a list of words lies beside"), HasSubstr("but not beside")));
  folder_.write("part-a.vocab", ids.substr(ids.find("s1000")));
  const WordVectors words = read_vectors(pattern);
  EXPECT_EQ(words.vocabulary()[0], "s1000");
  EXPECT_EQ(words.vocabulary()[2999], "s999");
}

TEST_F(ItemTable, ManyFilesThatAreNoTable) {
  folder_.write("a1.npy", table_of(1, 2, floats({1, 2})));
  folder_.write("a2.npy", table_of(1, 1, floats({1})));
  EXPECT_THAT(input_error_of([&] { read_vectors(folder_.path("a*.npy")); }),
              AllOf(HasSubstr("a2.npy: has 1 numbers a row, but"), HasSubstr("a1.npy has 2")));
  folder_.write("a2.npy", table_of(2, 2, floats({1, 2, 3, std::nanf("")})));
  EXPECT_THAT(input_error_of([&] { read_vectors(folder_.path("a*.npy")); }),
              HasSubstr("a2.npy: row 2 ('2'): the vector holds NaN"));
  folder_.write("a2.npy", table_of(2, 2, floats({1, 2, 3})));
  EXPECT_THAT(input_error_of([&] { open_vectors(folder_.path("a*.npy")); }), HasSubstr("a2.npy: the table of 2 x 2"));
  folder_.write("a2.npy", "1 2\na 1 2\n");
  EXPECT_THAT(input_error_of([&] { read_vectors(folder_.path("a*.npy")); }), HasSubstr("a2.npy: many files are one"));
  EXPECT_THAT(input_error_of([&] { read_vectors(folder_.path("b*.npy")); }), HasSubstr("no file has such a name"));
  EXPECT_THAT(input_error_of([&] { read_vectors("@" + folder_.write("list", "\n")); }), HasSubstr("names no files"));
  EXPECT_NE(input_error_of([&] { read_vectors("@" + folder_.write("list", "missing.npy\n")); }), "");
  folder_.write("[1].npy", table_of(1, 1, floats({5})));
  EXPECT_EQ(read_vectors(folder_.path("[1].npy")).size(), 1U) << "a file of that very name";
}

TEST_F(ItemTable, PartsAreTheWholeInOrder) {
  const std::size_t rows = 5000;
  const auto sample = sample_vectors(rows, 3, 9);
  const std::string bytes(reinterpret_cast<const char*>(sample.rows.data()), rows * 12);
  const std::string pattern = folder_.path("p*.npy");
  folder_.write("p1.npy", table_of(1500, 3, bytes.substr(0, 1500 * 12)));
  folder_.write("p2.npy", table_of(3500, 3, bytes.substr(1500 * 12)));
  std::vector<std::string> words;
  std::vector<float> values;
  for (std::size_t number = 1; number <= 3; ++number) {
    const auto part = collect(*open_vectors(pattern, {.part = {number, 3}}));
    EXPECT_TRUE(number == 3 || part.words.size() % 1024 == 0);
    words.insert(words.end(), part.words.begin(), part.words.end());
    values.insert(values.end(), part.values.begin(), part.values.end());
  }
  const auto whole = collect(*open_vectors(pattern));
  EXPECT_EQ(words, whole.words);
  EXPECT_TRUE(same_bits(values, whole.values));
  const auto rest = collect(*open_vectors(pattern, {.part = {2, 3}, .start_row = 1000}));
  const auto second = collect(*open_vectors(pattern, {.part = {2, 3}}));
  EXPECT_TRUE(std::equal(rest.words.begin(), rest.words.end(), second.words.begin() + 1000, second.words.end()));
  for (const TablePart part : {TablePart{0, 3}, TablePart{4, 3}, TablePart{1, 6}})
    EXPECT_THROW(open_vectors(pattern, {.part = part}), UsageError);
  EXPECT_THROW(open_vectors(pattern, {.start_row = 5001}), UsageError);
}

TEST_F(ItemTable, AnyWayToReadGivesTheSameRows) {
  const auto sample = sample_vectors(3000, 5, 2);
  const auto sink = create_number_table(folder_.path("x.npy"), VectorFormat::npy, 5, 3000, {.row_ids = true});
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < 3000; ++i) ids.push_back(std::to_string(i));
  sink->write(ids, sample.rows);
  sink->finish();
  const std::string bytes = folder_.read("x.npy");
  const auto plain = collect(*open_vectors(folder_.path("x.npy")));  // by several threads
  const auto piped = collect(*open_item_table(std::make_unique<MemoryStream>(bytes, false), {}));
  EXPECT_TRUE(same_bits(plain.values, sample.rows.elements()));
  EXPECT_TRUE(same_bits(piped.values, sample.rows.elements()));
  EXPECT_EQ(plain.words, ids);
  EXPECT_EQ(piped.words, ids);
  const auto rest = collect(*open_item_table(std::make_unique<MemoryStream>(bytes, false), {.start_row = 2990}));
  EXPECT_EQ(rest.words.front(), "2990");
  EXPECT_TRUE(same_bits(rest.values, sample.rows.elements().subspan(2990 * 5)));
}

}  // namespace
}  // namespace wordbridge::item_table_test
