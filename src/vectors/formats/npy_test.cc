#include "vectors/formats/npy.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/temporary_folder_test_support.h"
#include "io/byte_stream.h"
#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"
#include "vectors/formats/item_table.h"
#include "wordbridge/error.h"

namespace wordbridge::npy_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string header_bytes(const std::string& dictionary, int version = 1) {
  std::string bytes = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  bytes += version == 1 ? bytes_of(static_cast<std::uint16_t>(dictionary.size()))
                        : bytes_of(static_cast<std::uint32_t>(dictionary.size()));
  return bytes + dictionary;
}

NumberTable parse(const std::string& bytes) {
  MemoryStream stream(bytes);
  BinaryReader reader(stream);
  const NumberTable header = read_npy_header(reader);
  EXPECT_EQ(reader.offset(), bytes.size());
  return header;
}
std::string error_of(const std::string& dictionary) {
  return input_error_of([&] { parse(header_bytes(dictionary)); });
}

TEST(NpyHeader, ReadsWhatNumPyWrites) {
  const NumberTable header =
      parse(header_bytes("{'descr': '<f8', 'fortran_order': True, 'shape': (12, 300), }          \n", 2));
  EXPECT_EQ(header.type.kind, NumberType::Kind::float64);
  EXPECT_TRUE(header.fortran_order);
  EXPECT_FALSE(header.type.big_endian);
  EXPECT_EQ(header.rows, 12U);
  EXPECT_EQ(header.cols, 300U);
}

TEST(NpyHeader, IsTolerantOfOtherWriters) {
  const NumberTable header = parse(header_bytes("{\"shape\":(2L,3L),\"fortran_order\":False,\"descr\":\">f2\"}"));
  EXPECT_EQ(header.type.kind, NumberType::Kind::float16);
  EXPECT_TRUE(header.type.big_endian);
  EXPECT_EQ(header.rows, 2U);
}

TEST(NpyHeader, SaysWhatItCannotRead) {
  const std::string rest = "'fortran_order': False, 'shape': (2, 3), }\n";
  EXPECT_THAT(error_of("{'descr': '<i8', " + rest), HasSubstr("an array of type <i8"));
  EXPECT_THAT(error_of("{'descr': '|O', " + rest), HasSubstr("an array of type |O"));
  EXPECT_THAT(error_of("{'descr': '<f16', " + rest), HasSubstr("an array of type <f16"));
  EXPECT_THAT(error_of("{'descr': [('a', '<f4'), ('b', '<f4', (2,))], " + rest), HasSubstr("type [('a'"));
  for (const std::string shape : {"()", "(5,)", "(1, 2, 3)"})
    EXPECT_THAT(error_of("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}"),
                HasSubstr("word vectors are a table of 2"));
  EXPECT_THAT(input_error_of([&] { parse(header_bytes("{}", 4)); }), HasSubstr("version 4"));
}

TEST(NpyHeader, DamageIsDamage) {
  for (const std::string dictionary :
       {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)",
        "{'descr': '<f4', 'fortran_order': Falsch, 'shape': (2, 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 99999999999999999999)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 0)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4611686018427387904)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} rest",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}", "{'descr': '<f4",
        "{'descr': [[[, 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '', 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '<f4' 'fortran_order': False 'shape': (2, 3)}"})
    EXPECT_NE(error_of(dictionary), "") << dictionary;
  EXPECT_THAT(input_error_of([] { parse("\x93NUMPY\x02" + std::string("\0\xff\xff\xff\xff", 5)); }),
              HasSubstr("4294967295 bytes"));
}

TEST(NpyHeader, TheWrittenOneKeepsItsSize) {
  for (const std::uint64_t rows : {std::uint64_t{0}, std::uint64_t{200'000}, std::uint64_t{1} << 40}) {
    const std::string bytes = make_npy_header({.rows = rows, .cols = 300});
    EXPECT_EQ(bytes.size(), 192U);
    EXPECT_EQ(make_npy_header({.rows = rows, .cols = 300, .words_digest = UINT64_MAX}).size(), 192U);
    const NumberTable header = parse(bytes);
    EXPECT_EQ(header.rows, rows);
    EXPECT_EQ(header.cols, 300U);
    EXPECT_EQ(header.type, NumberType{});
    EXPECT_FALSE(header.fortran_order || header.type.big_endian);
  }
}

TEST(NpyHeader, ADigestStandsInTheBlanks) {
  for (const std::uint64_t digest :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x0123456789ABCDEF}, UINT64_MAX}) {
    const std::string bytes = make_npy_header({.rows = 7, .cols = 300, .words_digest = digest});
    const NumberTable header = parse(bytes);
    EXPECT_EQ(header.words_digest, digest);
    EXPECT_EQ(header.rows, 7U);
    EXPECT_EQ(bytes.substr(bytes.find('}') + 1).find_first_not_of(" \t\n"), std::string::npos) << "NumPy wants blanks";
  }
  const NumberTable plain = parse(make_npy_header({.rows = 7, .cols = 300}));
  EXPECT_EQ(plain.words_digest, std::nullopt);
  EXPECT_FALSE(plain.row_ids);
  const NumberTable items =
      parse(make_npy_header({.type = {NumberType::Kind::float16}, .rows = 7, .cols = 300, .row_ids = true}));
  EXPECT_TRUE(items.row_ids);
  EXPECT_EQ(items.words_digest, std::nullopt);
  EXPECT_EQ(items.type.kind, NumberType::Kind::float16);
}

class Npy : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(Npy, RoundTripIsBitExactWhateverCountWasExpected) {
  auto sample = sample_vectors(9000, 7, 1);
  sample.words[1] = "New York";
  const std::optional<std::uint64_t> expectations[] = {std::nullopt, 5, 9000, 100'000};
  for (const auto& expected : expectations) {
    const auto sink = create_number_table(folder_.path("y.npy"), VectorFormat::npy, 7, expected);
    sink->write(sample.words, sample.rows);
    sink->finish();
    const auto vectors = collect(*open_item_table(open_bytes(folder_.path("y.npy")), {}));
    EXPECT_EQ(vectors.words, sample.words);
    EXPECT_TRUE(same_bits(vectors.values, sample.rows.elements()));
  }
  EXPECT_TRUE(folder_.has("y.vocab"));
}

TEST_F(Npy, APairOfWhichOneFileWasReplacedIsRefused) {
  const auto make = [&](const std::vector<std::string>& words) {
    const auto sink = create_number_table(folder_.path("y.npy"), VectorFormat::npy, 1, 2);
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
    return collect(*open_item_table(open_bytes(folder_.path("y.npy")), options)).words;
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
  EXPECT_THAT(read_pair(make_npy_header({.rows = 2, .cols = 1}) + floats({1, 2}), "x\ny\n"), ElementsAre("x", "y"))
      << "of others";
}

TEST_F(Npy, APipeCannotHoldTwoFiles) {
  EXPECT_THROW(create_number_table("/dev/null", VectorFormat::npy, 1, 1), UsageError);
  EXPECT_FALSE(folder_.has("null.vocab"));
}

TEST_F(Npy, NothingAppearsBeforeTheEnd) {
  {
    const auto sink = create_number_table(folder_.path("z.npy"), VectorFormat::npy, 1, 1);
    sink->write({"a"}, Matrix(1, 1));
    EXPECT_FALSE(folder_.has("z.npy") || folder_.has("z.vocab"));
  }
  EXPECT_EQ(folder_.files(), 0U);
}

TEST_F(Npy, RefusesWordsThatALineCannotHold) {
  for (const std::string word : {"", "a\nb", "a\r", "\xEF\xBB\xBFx"}) {
    const auto sink = create_number_table(folder_.path("z.npy"), VectorFormat::npy, 1, 1);
    EXPECT_THAT(input_error_of([&] { sink->write({word}, Matrix(1, 1)); }), HasSubstr("cannot write row 1")) << word;
  }
}

TEST_F(Npy, Float16HoldsWhatItCanAndRefusesWhatItCannot) {
  Matrix rows(1, 3);
  std::ranges::copy(std::vector{1.0F, 2049.0F, -65519.0F}, rows.data());  // 2049 lies between 2048 and 2050
  const auto write = [&](const std::string& name, VectorFormat format) {
    const auto sink = create_number_table(folder_.path(name), format, 3, 1, {.row_ids = true});
    sink->write({"0"}, rows);
    sink->finish();
  };
  write("x.npy", VectorFormat::npy_float16);
  EXPECT_THAT(read_vectors(folder_.path("x.npy")).table().elements(), ElementsAre(1, 2048, -65504));
  write("x.f16", VectorFormat::raw_float16);
  EXPECT_EQ(folder_.read("x.f16"), folder_.read("x.npy").substr(kNpyHeaderBytes));
  write("x.f32", VectorFormat::raw_float32);
  EXPECT_THAT(read_vectors(folder_.path("x.f32"), {.format = "raw:f32:3"}).table().elements(),
              ElementsAre(1, 2049, -65519));
  rows(0, 1) = 65520;
  EXPECT_THAT(input_error_of([&] { write("y.npy", VectorFormat::npy_float16); }),
              HasSubstr("y.npy: cannot write row 1: it has numbers that are too large for float16"));
  EXPECT_FALSE(folder_.has("y.npy"));
}

TEST_F(Npy, RowNumbersBeginAnywhereAndHaveNoGaps) {
  const auto sink = create_number_table(folder_.path("x.npy"), VectorFormat::npy, 1, 2, {.row_ids = true});
  sink->write({"1024", "1025"}, Matrix(2, 1));
  sink->write({"1026"}, Matrix(1, 1));
  EXPECT_THAT(input_error_of([&] { sink->write({"1028"}, Matrix(1, 1)); }),
              HasSubstr("cannot write row 4: it is row 1028 of the input"));
  const auto other = create_number_table(folder_.path("x.npy"), VectorFormat::npy, 1, 2, {.row_ids = true});
  EXPECT_NE(input_error_of([&] { other->write({"a"}, Matrix(1, 1)); }), "");
}

}  // namespace

}  // namespace wordbridge::npy_test
