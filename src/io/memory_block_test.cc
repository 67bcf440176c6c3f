#include "io/memory_block.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <limits>

#include "base/error_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"

namespace wordbridge::memory_block_test {
namespace {

using ::testing::HasSubstr;

std::string text_of(const MemoryBlock& block) { return {block.data, block.bytes}; }

TEST(MemoryBlock, IsFilledFromAStream) {
  MemoryStream stream("headerbody.");
  char header[6];
  stream.read(header, 6);
  const MemoryBlock block = read_block(stream, 4);
  EXPECT_EQ(text_of(block), "body");
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data) % 64, 0U);
  EXPECT_EQ(stream.peek(1), ".");
  EXPECT_EQ(text_of(read_block(stream, 0)), "");
}

TEST(MemoryBlock, AStreamThatEndsBeforeIsDamage) {
  // 1 TiB is promised; nothing like it is taken.
  MemoryStream stream("abc", false);
  EXPECT_THAT(input_error_of([&] { read_block(stream, std::uint64_t{1} << 40); }),
              ::testing::AnyOf(HasSubstr("ends early: 3 of"), HasSubstr("more than memory can hold")));
  MemoryStream again("abc", false);
  EXPECT_THAT(input_error_of([&] { read_block(again, std::numeric_limits<std::uint64_t>::max()); }),
              HasSubstr("more than memory can hold"));
}

TEST(PlainFile, MapsAnyPart) {
  const TemporaryFolder folder;
  std::string bytes;
  for (int i = 0; i < 10000; ++i) bytes += static_cast<char>(i * 7);
  MemoryStream stream(bytes, true, folder.write("file", bytes));
  const auto file = PlainFile::behind(stream, 0);
  ASSERT_TRUE(file.has_value());
  for (const std::size_t offset : {0, 1, 64, 4095, 4096, 5000, 10000}) {
    const auto block = file->map(offset, bytes.size() - offset);
    ASSERT_TRUE(block.has_value());
    EXPECT_EQ(text_of(*block), bytes.substr(offset));
  }
}

TEST(PlainFile, IsOnlyFoundWhereItHoldsTheStreamsBytes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "0123456789");
  const auto found = [&](const std::string& bytes, const std::string& name, bool size_known = true) {
    MemoryStream stream(bytes, size_known, name);
    return PlainFile::behind(stream, 0).has_value();
  };
  EXPECT_TRUE(found("0123456789", path));
  EXPECT_FALSE(found("0123456780", path));
  EXPECT_FALSE(found("012345678", path));
  EXPECT_FALSE(found("0123456789", path, false));
  EXPECT_FALSE(found("0123456789", folder.path("missing")));
  EXPECT_FALSE(found("0123456789", folder.path("")));
  ASSERT_EQ(::mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(found("0123456789", folder.path("pipe")));  // and does not wait for a writer
  // Compared from where the stream stands.
  MemoryStream stream("0123456789", true, path);
  char taken[4];
  stream.read(taken, 4);
  EXPECT_TRUE(PlainFile::behind(stream, 4).has_value());
  EXPECT_FALSE(PlainFile::behind(stream, 3).has_value());
}

}  // namespace
}  // namespace wordbridge::memory_block_test
