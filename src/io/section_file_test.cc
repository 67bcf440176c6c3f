#include "io/section_file.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <utility>
#include <vector>

#include "base/checksum.h"
#include "base/error_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::section_file_test {
namespace {

constexpr SectionFormat kFormat = {{'\x89', 'T', 'E', 'S', 'T', '\r', '\n', '\n'}, 2, ".test"};

/// Numbers over more than two blocks, a text, and an empty section.
std::string file_of(const std::vector<std::uint32_t>& numbers, const SectionFormat& format = kFormat) {
  const TemporaryFolder folder;
  AtomicFile file(folder.path("f"));
  SectionWriter writer(file, format);
  writer.add("numbers", std::span(numbers));
  writer.begin("text");
  for (const std::string_view part : {"a text ", "in ", "parts"}) writer.write(part.data(), part.size());
  writer.add("nothing", std::string_view());
  writer.finish();
  file.commit();
  return folder.read("f");
}

std::vector<std::uint32_t> many_numbers() {
  std::vector<std::uint32_t> numbers(40'000);  // 160,000 bytes
  std::iota(numbers.begin(), numbers.end(), 7u);
  return numbers;
}

std::string error_of(std::string bytes, bool size_known = true) {
  return input_error_of([&] {
    MemoryStream stream(std::move(bytes), size_known);
    SectionFile(stream, kFormat).require_all();
  });
}

/// With checksums that match again, as a forger would leave it.
std::string mended(std::string bytes) {
  std::uint64_t offset = 0, size = 0;
  bytes.copy(reinterpret_cast<char*>(&offset), 8, 24);
  bytes.copy(reinterpret_cast<char*>(&size), 8, 32);
  if (offset <= bytes.size() && size <= bytes.size() - offset) {
    const std::uint64_t directory = xxh3(bytes.data() + offset, size);
    bytes.replace(48, 8, reinterpret_cast<const char*>(&directory), 8);
  }
  const std::uint64_t header = xxh3(bytes.data(), 120);
  return bytes.replace(120, 8, reinterpret_cast<const char*>(&header), 8);
}

TEST(SectionFile, GivesBackWhatWasWritten) {
  const auto numbers = many_numbers();
  const std::string bytes = file_of(numbers);
  const TemporaryFolder folder;
  const auto mapped_stream = open_bytes(folder.write("f", bytes));
  MemoryStream in_memory(bytes), pipe(bytes, false);
  for (ByteStream* stream :
       {mapped_stream.get(), static_cast<ByteStream*>(&in_memory), static_cast<ByteStream*>(&pipe)}) {
    const SectionFile file(*stream, kFormat);
    EXPECT_EQ(file.is_mapped(), stream == mapped_stream.get());
    EXPECT_EQ(file.file_bytes(), bytes.size());
    const auto found = file.values<std::uint32_t>("numbers", numbers.size());
    EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), found.begin(), found.end()));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(found.data()) % 64, 0u);
    EXPECT_EQ(file.text("text"), "a text in parts");
    EXPECT_EQ(file.text("nothing"), "");
    EXPECT_TRUE(file.has("nothing"));
    EXPECT_FALSE(file.has("number"));
    EXPECT_EQ(file.entries()[1].offset % 64, 0u);
    EXPECT_THROW(file.section("number"), InputError);
    EXPECT_THROW(file.values<std::uint32_t>("numbers", numbers.size() - 1), InputError);
    EXPECT_THROW(file.values<std::uint64_t>("text", 2), InputError);
    file.require_all();
  }
}

TEST(SectionFile, TellsDamageWhenItIsTouched) {
  std::string bytes = file_of(many_numbers());
  bytes[128 + 70'000] ^= 1;  // in the second block
  MemoryStream stream(bytes);
  const SectionFile file(stream, kFormat);
  const SectionFile::Section section = file.section("numbers");
  section.require(0, 65'536);
  section.require(131'072, section.bytes() - 131'072);
  section.require(65'536, 0);
  EXPECT_EQ(input_error_of([&] { section.require(65'535, 2); }),
            "memory: section 'numbers' is damaged: the checksum of its bytes 65536 to 131071 does not match");
  EXPECT_NE(input_error_of([&] { section.require_all(); }), "");
  EXPECT_EQ(file.text("text"), "a text in parts");
  EXPECT_NE(input_error_of([&] { file.require_all(); }), "");
}

TEST(SectionFile, EveryByteIsWatched) {
  const std::string bytes = file_of({1, 2, 3});
  EXPECT_EQ(error_of(bytes), "");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_NE(error_of(damaged), "") << i;
  }
}

TEST(SectionFile, CutAndLengthenedFilesAreRefused) {
  const std::string bytes = file_of({1, 2, 3});
  for (std::size_t length = 0; length < bytes.size(); length += length < 200 ? 1 : 97)
    for (const bool size_known : {true, false}) EXPECT_NE(error_of(bytes.substr(0, length), size_known), "") << length;
  EXPECT_NE(error_of(bytes + "x"), "");
  EXPECT_NE(error_of(bytes + "x", false), "");
}

TEST(SectionFile, ForgedNumbersAreRefused) {
  const std::string bytes = file_of({1, 2, 3});
  EXPECT_EQ(error_of(mended(bytes)), "");
  const std::size_t directory = bytes.size() - 3 * 64 - 2 * 8;
  std::vector<std::size_t> places;
  for (const std::size_t number : {12, 16, 20, 24, 32, 40}) places.push_back(number);  // of the header
  for (std::size_t entry = 0; entry < 3; ++entry)
    for (const std::size_t number : {40, 48, 56}) places.push_back(directory + 64 * entry + number);
  for (const std::size_t place : places)
    for (const std::uint64_t value : {std::uint64_t{1}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
      std::string forged = bytes;
      forged.replace(place, 8, reinterpret_cast<const char*>(&value), 8);
      if (forged == bytes) continue;
      EXPECT_NE(error_of(mended(std::move(forged))), "") << place << " " << value;
    }
  for (const std::string_view name : {std::string_view("numbers\0", 8), std::string_view("\0umbers", 7)}) {
    std::string forged = bytes;
    forged.replace(directory + 64, name.size(), name);  // twice, or empty
    EXPECT_NE(error_of(mended(std::move(forged))), "");
  }
}

TEST(SectionFile, OtherFormatsAndLaterVersionsAreNamed) {
  EXPECT_EQ(error_of(std::string(200, 'x')), "memory: does not begin like a .test file");
  EXPECT_EQ(error_of(file_of({1}, {kFormat.magic, 3, ".test"})),
            "memory: is a .test file of version 3; this program reads version 2");
  EXPECT_EQ(error_of(file_of({1}, {kFormat.magic, 1, ".test"})), "");  // earlier ones are read
}

TEST(SectionFile, ManyThreadsTouchTheSameBlocks) {
  const std::string bytes = file_of(many_numbers());
  MemoryStream stream(bytes);
  const SectionFile::Section section = SectionFile(stream, kFormat).section("numbers");  // keeps the file
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (std::size_t at = 0; at + 100 < section.bytes(); at += 100) section.require(at, 100);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace wordbridge::section_file_test
