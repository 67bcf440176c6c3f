#include "vectors/formats/number_table.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/error_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::number_table_test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = NumberType::Kind;

/// By the definition of IEEE binary16, in double.
double value_of_half(std::uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const double magnitude = exponent == 0   ? std::ldexp(fraction, -24)
                           : exponent < 31 ? std::ldexp(1024 + fraction, exponent - 25)
                           : fraction == 0 ? HUGE_VAL
                                           : std::nan("");
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

float decoded(std::uint16_t half) {
  float value = 0;
  decode_numbers(reinterpret_cast<const char*>(&half), {Kind::float16}, {&value, 1});
  return value;
}
std::uint16_t encoded(float value) {
  std::uint16_t half = 0;
  encode_float16({&value, 1}, &half);
  return half;
}

TEST(Float16, AllOfThemAreDecodedAndComeBack) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double value = value_of_half(half);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(decoded(half))) << bits;
      ASSERT_TRUE(std::isnan(value_of_half(encoded(decoded(half))))) << bits;
      continue;
    }
    ASSERT_EQ(decoded(half), value) << bits;
    ASSERT_EQ(std::signbit(decoded(half)), (half & 0x8000) != 0) << bits;
    ASSERT_EQ(encoded(decoded(half)), half);
  }
}

TEST(Float16, WhatLiesBetweenGoesToTheNearestAndTiesToTheEvenOne) {
  for (std::uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const auto low = static_cast<std::uint16_t>(bits), high = static_cast<std::uint16_t>(bits + 1);
    const float middle = static_cast<float>((value_of_half(low) + value_of_half(high)) / 2);  // exact
    const std::uint16_t even = bits % 2 == 0 ? low : high;
    ASSERT_EQ(encoded(middle), even) << bits;
    ASSERT_EQ(encoded(std::nextafter(middle, 0.0F)), low) << bits;
    ASSERT_EQ(encoded(std::nextafter(middle, 1e6F)), high) << bits;
    ASSERT_EQ(encoded(-middle), even | 0x8000) << bits;
  }
  EXPECT_EQ(encoded(1e-30F), 0);
  EXPECT_EQ(encoded(65519.99F), 0x7bff);
}

TEST(Float16, WhatIsTooLargeIsTold) {
  std::uint16_t halves[2];
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(encode_float16(std::vector<float>{65519, infinity}, halves));
  EXPECT_EQ(halves[1], 0x7c00);
  for (const float large : {65520.0F, -65520.0F, 1e30F}) {
    EXPECT_FALSE(encode_float16(std::vector<float>{1, large}, halves));
    EXPECT_EQ(halves[1] & 0x7fff, 0x7c00);
  }
}

TEST(Numbers, OfAllTypes) {
  const auto decode = [](const std::string& bytes, NumberType type) {
    std::vector<float> values(bytes.size() / type.bytes());
    decode_numbers(bytes.data(), type, values);
    return values;
  };
  EXPECT_THAT(decode(bytes_of(0.1) + bytes_of(1e300), {Kind::float64}), ElementsAre(0.1F, HUGE_VALF));
  EXPECT_THAT(decode(std::string("\x3f\x80\x00\x00", 4), {Kind::float32, true}), ElementsAre(1));
  EXPECT_THAT(decode(std::string("\x80\x3f\x00\xc0", 4), {Kind::bfloat16}), ElementsAre(1, -2));
  EXPECT_THAT(decode(std::string("\x3c\x00", 2), {Kind::float16, true}), ElementsAre(1));
  EXPECT_THAT(decode(std::string("\x3f\xf0\x00\x00\x00\x00\x00\x00", 8), {Kind::float64, true}), ElementsAre(1));
}

TEST(RawFormatText, SaysTypeAndDimension) {
  EXPECT_EQ(parse_raw_format("safetensors"), std::nullopt);
  EXPECT_EQ(parse_raw_format(""), std::nullopt);
  const auto format = parse_raw_format("raw:bf16:1024");
  EXPECT_EQ(format->type.kind, Kind::bfloat16);
  EXPECT_EQ(format->dimension, 1024U);
  EXPECT_THROW(parse_raw_format("raw:f16:-1"), UsageError);
}

/// What three readers of a table give, which must be the same: by one thread or several, from a file or a pipe.
TEST(NumberTableReader, ThreadsAndPipesGiveTheSame) {
  const TemporaryFolder folder;
  const auto sample = sample_vectors(5000, 40, 1);
  std::vector<std::uint16_t> halves(sample.rows.size());
  encode_float16(sample.rows.elements(), halves.data());
  const std::string bytes = "header" + std::string(reinterpret_cast<const char*>(halves.data()), halves.size() * 2);
  const NumberTable table{.type = {Kind::float16}, .rows = 5000, .cols = 40, .bytes_before = 2};
  std::vector<float> expected(halves.size());
  for (std::size_t i = 0; i < halves.size(); ++i) expected[i] = static_cast<float>(value_of_half(halves[i]));
  const auto check = [&](std::unique_ptr<ByteStream> stream) {
    BinaryReader reader(*stream);
    std::string header(4, ' ');
    reader.read(header.data(), 4, "the header");
    NumberTableReader rows(reader, table);
    std::vector<RowValues> values;
    for (const std::size_t first : {0, 100, 4000}) {  // rows between are passed over
      Matrix block(first == 100 ? 3000 : 100, 40);
      ASSERT_EQ(rows.read(first, block, values), block.rows());
      // Numbers that float16 has not are infinite here, which the values say.
      for (std::size_t i = 0; i < block.rows(); ++i) ASSERT_EQ(values[i], values_of(block.row(i)));
      EXPECT_TRUE(same_bits(block.elements(), std::span(expected).subspan(first * 40, block.size())));
    }
  };
  folder.write("x", bytes);
  for (const int threads : {1, 3}) {
    Context context({.threads = threads});
    const Context::Scope scope(context);
    check(open_bytes(folder.path("x")));
  }
  check(std::make_unique<MemoryStream>(bytes, false));
}

TEST(NumberTableReader, GivesTheWholeRowsThatThereAre) {
  const TemporaryFolder folder;
  const std::string bytes = floats({1, 2, 3, 4, 5});
  folder.write("x", bytes);
  const NumberTable table{.rows = 4, .cols = 2};
  for (const bool plain : {true, false}) {
    std::unique_ptr<ByteStream> stream = open_bytes(folder.path("x"));
    if (!plain) stream = std::make_unique<MemoryStream>(bytes, false);
    BinaryReader reader(*stream);
    NumberTableReader rows(reader, table);
    Matrix block(4, 2);
    std::vector<RowValues> values;
    EXPECT_EQ(rows.read(0, block, values), 2U);
    EXPECT_THAT(block.elements(), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(values, Each(RowValues::usual));
  }
}

TEST(RawTable, HasWholeRowsAndAnEnd) {
  MemoryStream whole(std::string(24, 'x')), pipe(std::string(24, 'x'), false);
  EXPECT_EQ(raw_table({.dimension = 3}, BinaryReader(whole)).rows, 2U);
  EXPECT_THAT(input_error_of([&] { raw_table({.dimension = 4}, BinaryReader(whole)); }), HasSubstr("no whole rows"));
  EXPECT_THAT(input_error_of([&] { raw_table({.dimension = 3}, BinaryReader(pipe)); }), HasSubstr("of a pipe"));
}

}  // namespace
}  // namespace wordbridge::number_table_test
