#include "vectors/formats/fasttext_options.h"

#include <gmock/gmock.h>

#include <cstring>

#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"

namespace wordbridge::fasttext_options_test {
namespace {

using ::testing::HasSubstr;

std::string bytes_of(std::int32_t version, std::int32_t dimension, std::int32_t model) {
  const std::int32_t numbers[] = {kFastTextMagic, version, dimension, 5, 1, 1, 5, 1, 2, model, 100, 3, 6, 100};
  std::string bytes(reinterpret_cast<const char*>(numbers), sizeof(numbers));
  return bytes + std::string(8, '\0');
}

FastTextOptions parse(const std::string& bytes) {
  MemoryStream stream(bytes);
  BinaryReader reader(stream);
  const FastTextOptions options = read_fasttext_options(reader);
  EXPECT_EQ(reader.offset(), bytes.size());
  return options;
}

TEST(FastTextOptions, AreRead) {
  const std::string bytes = bytes_of(12, 300, 2);
  const FastTextOptions options = parse(bytes);
  EXPECT_EQ(options.dimension, 300);
  EXPECT_EQ(options.subwords.minn, 3);
  EXPECT_EQ(options.subwords.maxn, 6);
  EXPECT_EQ(options.subwords.bucket, 100);
  std::int32_t dimension = 0;
  std::memcpy(&dimension, bytes.data() + FastTextOptions::kDimensionOffset, sizeof(dimension));
  EXPECT_EQ(dimension, 300);
}

TEST(FastTextOptions, OldClassifiersHaveNoSubwords) {
  EXPECT_EQ(parse(bytes_of(11, 10, 3)).subwords.maxn, 0);
  EXPECT_EQ(parse(bytes_of(12, 10, 3)).subwords.maxn, 6);
}

TEST(FastTextOptions, WhatCannotBe) {
  EXPECT_THAT(input_error_of([] { parse(bytes_of(10, 300, 2)); }), HasSubstr("version 10"));
  EXPECT_THAT(input_error_of([] { parse(bytes_of(12, 0, 2)); }), HasSubstr("dimension 0"));
  EXPECT_THAT(input_error_of([] { parse(bytes_of(12, 1 << 30, 2)); }), HasSubstr("dimension"));
  EXPECT_NE(input_error_of([] { parse(bytes_of(12, 300, 2).substr(0, 30)); }), "");
}

}  // namespace
}  // namespace wordbridge::fasttext_options_test
