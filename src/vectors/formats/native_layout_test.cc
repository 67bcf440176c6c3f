#include "vectors/formats/native_layout.h"

#include <gmock/gmock.h>

#include <cstring>
#include <functional>

#include "vectors/formats/binary_format_test_support.h"

namespace wordbridge::native_layout_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::array<char, 128> as_bytes(NativeHeader header, bool with_checksum = true) {
  if (with_checksum) header.header_checksum = xxh3(&header, 120);
  std::array<char, 128> bytes{};
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

TEST(NativeLayout, OffsetsAreThoseOfTheDocument) {
  const std::vector<NativeEntry> index(2);
  const NativeHeader header = make_native_header(8200, 3, 1000, index);
  EXPECT_EQ(header.table_offset, 128U);
  EXPECT_EQ(header.table_end(), 128U + 8200 * 3 * 4);  // 98528 = 1539.5 * 64
  EXPECT_EQ(header.words_offset, 98560U);
  EXPECT_EQ(header.index_offset, 99584U);  // 99560 rounded up
  EXPECT_EQ(header.file_bytes, 99712U);
  EXPECT_EQ(header.blocks(), 2U);
  EXPECT_EQ(header.rows_of(0), 8192U);
  EXPECT_EQ(header.rows_of(1), 8U);
  // Each field where the document says.
  const auto bytes = as_bytes(header, false);
  const auto number_at = [&](std::size_t offset) {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data() + offset, 8);
    return number;
  };
  EXPECT_EQ(std::string(bytes.data(), 8), "\x89WBVEC\r\n");
  EXPECT_EQ(number_at(8), 1U | std::uint64_t{128} << 32);
  EXPECT_EQ(number_at(16), 8200U);
  EXPECT_EQ(number_at(24), 3U);
  EXPECT_EQ(number_at(32), 98560U);
  EXPECT_EQ(number_at(40), 1000U);
  EXPECT_EQ(number_at(48), 99584U);
  EXPECT_EQ(number_at(56), 99712U);
  EXPECT_EQ(number_at(64), 8192U | std::uint64_t{64} << 32);
  EXPECT_EQ(number_at(72), xxh3(index.data(), 128));
  EXPECT_EQ(number_at(120), xxh3(bytes.data(), 120));
}

TEST(NativeLayout, AParsedHeaderIsTheMadeOne) {
  const std::vector<NativeEntry> index(1);
  const NativeHeader header = make_native_header(7, 300, 50, index);
  const NativeHeader parsed = parse_native_header("x", as_bytes(header, false));
  EXPECT_EQ(std::memcmp(&parsed, &header, sizeof(header)), 0);
}

TEST(NativeLayout, RefusesHeadersThatMakeNoSenseInSpiteOfAGoodChecksum) {
  const std::vector<NativeEntry> index(1);
  const NativeHeader good = make_native_header(7, 300, 50, index);
  const std::function<void(NativeHeader&)> harms[] = {
      [](NativeHeader& h) { h.rows = 8; },
      [](NativeHeader& h) { h.rows = ~std::uint64_t{0}; },
      [](NativeHeader& h) { h.rows = std::uint64_t{1} << 62; },
      [](NativeHeader& h) { h.dimension = 0; },
      [](NativeHeader& h) { h.dimension = std::uint64_t{1} << 62; },
      [](NativeHeader& h) { h.words_bytes = ~std::uint64_t{0}; },
      [](NativeHeader& h) { h.words_bytes += 64; },
      [](NativeHeader& h) { h.words_offset += 64; },
      [](NativeHeader& h) { h.index_offset -= 64; },
      [](NativeHeader& h) { h.file_bytes = 0; },
      [](NativeHeader& h) { h.block_rows = 0; },
      [](NativeHeader& h) { h.block_rows = 1; },
      [](NativeHeader& h) { h.entry_bytes = 0; },
      [](NativeHeader& h) { h.table_offset = 64; },
      [](NativeHeader& h) { h.reserved[31] = 1; },
  };
  for (const auto& harm : harms) {
    NativeHeader bad = good;
    harm(bad);
    EXPECT_THAT(input_error_of([&] { parse_native_header("x", as_bytes(bad)); }), HasSubstr("makes no sense"));
    EXPECT_THAT(input_error_of([&] { parse_native_header("x", as_bytes(bad, false)); }), HasSubstr("checksum"));
  }
  NativeHeader newer = good;
  newer.version = 2;
  EXPECT_THAT(input_error_of([&] { parse_native_header("x", as_bytes(newer)); }), HasSubstr("of version 2"));
}

/// Padding, words, padding and index of a file with the words "a" and "bc" and dimension 1.
struct Tail {
  Tail() {
    append_native_word(words, "a");
    append_native_word(words, "bc");
    index[0].words_bytes = words.size();
    index[0].words_checksum = xxh3(words.data(), words.size());
  }
  NativeHeader header() const { return make_native_header(2, 1, words.size(), index); }
  std::string bytes() const {
    std::string all(native_aligned(136) - 136, '\0');
    all += words + std::string(native_aligned(words.size()) - words.size(), '\0');
    return all.append(reinterpret_cast<const char*>(index.data()), index.size() * sizeof(NativeEntry));
  }
  std::string words;
  std::vector<NativeEntry> index = std::vector<NativeEntry>(1);
};

TEST(NativeLayout, FindsTheWords) {
  const Tail tail;
  EXPECT_EQ(tail.words, std::string("\1\0\0\0a\2\0\0\0bc", 11));
  const std::string bytes = tail.bytes();
  EXPECT_THAT(NativeTail("x", tail.header(), bytes).words(0).value(), ElementsAre("a", "bc"));
}

TEST(NativeLayout, RefusesAnIndexThatMakesNoSense) {
  const std::function<void(NativeEntry&)> harms[] = {
      [](NativeEntry& entry) { entry.words_begin = 1; },
      [](NativeEntry& entry) { entry.words_bytes -= 1; },
      [](NativeEntry& entry) { entry.words_bytes = ~std::uint64_t{0}; },
  };
  for (const auto& harm : harms) {
    Tail tail;
    harm(tail.index[0]);
    const std::string bytes = tail.bytes();
    EXPECT_THAT(input_error_of([&] { NativeTail("x", tail.header(), bytes); }), HasSubstr("index makes no sense"));
  }
}

TEST(NativeLayout, WordsThatDoNotFillTheirBlockAreDamage) {
  for (const std::size_t length : {std::size_t{1}, std::size_t{5}, std::size_t{10}, std::size_t{12}}) {
    Tail tail;
    tail.words.resize(length, 'x');
    tail.index[0].words_bytes = length;
    tail.index[0].words_checksum = xxh3(tail.words.data(), length);
    const std::string bytes = tail.bytes();
    EXPECT_FALSE(NativeTail("x", tail.header(), bytes).words(0).has_value()) << length;
  }
}

}  // namespace
}  // namespace wordbridge::native_layout_test
