#include "vectors/formats/npy_header.h"

#include <gmock/gmock.h>

#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"

namespace wordbridge::npy_header_test {
namespace {

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

}  // namespace
}  // namespace wordbridge::npy_header_test
