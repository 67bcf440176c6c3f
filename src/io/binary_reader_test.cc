#include "io/binary_reader.h"

#include <gmock/gmock.h>

#include "base/error_test_support.h"
#include "io/memory_stream_test_support.h"

namespace wordbridge::binary_reader_test {
namespace {

using ::testing::HasSubstr;

TEST(BinaryReader, ReadsNumbersAndCountsBytes) {
  MemoryStream stream(std::string("\x01\x02\x03\x04\xff\xff", 6));
  BinaryReader reader(stream);
  EXPECT_EQ(reader.remaining(), 6U);
  EXPECT_EQ(reader.read<std::uint32_t>("a"), 0x04030201U);
  EXPECT_EQ(reader.offset(), 4U);
  EXPECT_EQ(reader.read<std::int16_t>("b"), -1);
  EXPECT_EQ(reader.remaining(), 0U);
  EXPECT_TRUE(reader.at_end());
  EXPECT_THAT(input_error_of([&] { reader.read<char>("the end"); }), HasSubstr("memory: ends early, in the end"));
}

TEST(BinaryReader, WhatIsLeftOfAPipeIsUnknown) {
  MemoryStream stream("abc", false);
  EXPECT_EQ(BinaryReader(stream).remaining(), std::nullopt);
}

TEST(BinaryReader, ReadsWords) {
  const std::string longest(kMaxWordBytes, 'x');
  MemoryStream stream(" cat " + longest + " " + longest + "x rest");
  BinaryReader reader(stream);
  EXPECT_EQ(reader.read_word(' '), "");
  EXPECT_EQ(reader.read_word(' '), "cat");
  EXPECT_EQ(reader.read_word(' '), longest);
  EXPECT_EQ(reader.offset(), 5 + longest.size() + 1);
  EXPECT_EQ(reader.read_word(' '), std::nullopt);
  EXPECT_EQ(reader.peek(1), "x");
  MemoryStream cut("no end");
  EXPECT_EQ(BinaryReader(cut).read_word('\0'), std::nullopt);
}

}  // namespace
}  // namespace wordbridge::binary_reader_test
