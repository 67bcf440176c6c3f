#include "base/checksum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace wordbridge::checksum_test {
namespace {

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return to_hex(hash.finish());
}

// The examples of FIPS 180-2, appendix B, and the digest of the empty message.
TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesDoNotMatter) {
  const std::string text = "the quick brown fox jumps over the lazy dog, and over sixty-four bytes as well";
  for (std::size_t size = 1; size <= text.size(); ++size) {
    Sha256 hash;
    for (std::size_t i = 0; i < text.size(); i += size) hash.update(std::string_view(text).substr(i, size));
    EXPECT_EQ(to_hex(hash.finish()), sha256(text)) << size;
  }
}

TEST(ToHex, LowerCaseTwoDigitsEach) {
  const std::array<std::uint8_t, 4> bytes = {0x00, 0x0f, 0xa0, 0xff};
  EXPECT_EQ(to_hex(bytes), "000fa0ff");
  EXPECT_EQ(to_hex({}), "");
}

TEST(Xxh3, KnownAnswerAndSensitivity) {
  EXPECT_EQ(xxh3(nullptr, 0), 0x2d06800538d394c2u);  // of no bytes, as xxHash's own tests have it
  std::string text(1000, 'x');
  const std::uint64_t before = xxh3(text.data(), text.size());
  for (const std::size_t i : {std::size_t{0}, std::size_t{499}, std::size_t{999}}) {
    text[i] = static_cast<char>(text[i] ^ 1);
    EXPECT_NE(xxh3(text.data(), text.size()), before) << i;
    text[i] = static_cast<char>(text[i] ^ 1);
  }
  EXPECT_EQ(xxh3(text.data(), text.size()), before);
}

}  // namespace
}  // namespace wordbridge::checksum_test
