#include "io/line_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "io/compressed_stream.h"
#include "io/line_limit.h"
#include "io/memory_stream_test_support.h"

namespace wordbridge::line_blocks_test {
namespace {

/// Hands out its bytes and then fails.
class FailingStream : public MemoryStream {
 public:
  FailingStream(std::string bytes, std::exception_ptr error)
      : MemoryStream(std::move(bytes)), error_(std::move(error)) {}
  std::size_t read(char* buffer, std::size_t bytes) override {
    const std::size_t count = MemoryStream::read(buffer, bytes);
    if (count == 0) std::rethrow_exception(error_);
    return count;
  }
  std::string_view peek(std::size_t bytes) override {
    const std::string_view seen = MemoryStream::peek(bytes);
    if (seen.empty()) std::rethrow_exception(error_);
    return seen;
  }

 private:
  std::exception_ptr error_;
};

struct Blocks {
  std::vector<std::string> texts;
  std::vector<bool> last;
};

Blocks all_blocks(const std::string& bytes) {
  LineBlocks blocks(std::make_unique<MemoryStream>(bytes));
  Blocks result;
  LineBlock block;  // the same for all, as its memory may be used again
  while (blocks.next(block)) {
    EXPECT_TRUE(block.damage.empty());
    EXPECT_EQ(block.failure, nullptr);
    result.texts.emplace_back(block.text);
    result.last.push_back(block.last);
  }
  EXPECT_FALSE(blocks.next(block)) << "the end stays the end";
  return result;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

TEST(LineBlocks, AnEmptyFileHasNone) { EXPECT_TRUE(all_blocks("").texts.empty()); }

TEST(LineBlocks, AShortFileIsOne) {
  for (const std::string bytes : {"a", "\n", "a\n", "a\nb", "a\n\n\nb\n"}) {
    const Blocks blocks = all_blocks(bytes);
    EXPECT_EQ(blocks.texts, std::vector<std::string>{bytes});
    EXPECT_EQ(blocks.last, std::vector<bool>{true});
  }
}

TEST(LineBlocks, CutAtLineEndsOnlyWhateverTheLengths) {
  Random random(1);
  for (const std::size_t longest : {3u, 5'000u, 400'000u, 2'500'000u}) {
    std::string bytes;
    while (bytes.size() < 5 * LineBlocks::kBlockBytes)
      bytes += std::string(random.index(longest), static_cast<char>('a' + bytes.size() % 26)) + '\n';
    for (const bool final_break : {true, false}) {
      if (!final_break) bytes += "no line break";
      const Blocks blocks = all_blocks(bytes);
      EXPECT_TRUE(joined(blocks.texts) == bytes);
      EXPECT_GT(blocks.texts.size(), 1u);
      for (std::size_t i = 0; i + 1 < blocks.texts.size(); ++i) EXPECT_EQ(blocks.texts[i].back(), '\n');
      for (std::size_t i = 0; i < blocks.last.size(); ++i) EXPECT_EQ(blocks.last[i], i + 1 == blocks.last.size());
    }
  }
}

TEST(LineBlocks, AFileThatFillsItsBlocksExactly) {
  for (const std::size_t size : {LineBlocks::kBlockBytes - 1, LineBlocks::kBlockBytes, 2 * LineBlocks::kBlockBytes}) {
    const std::string bytes = std::string(size - 1, 'x') + '\n';
    const Blocks blocks = all_blocks(bytes);
    EXPECT_TRUE(joined(blocks.texts) == bytes);
    EXPECT_EQ(blocks.last, std::vector<bool>{true});
  }
}

TEST(LineBlocks, HasAsManyLinesAsWantedAndMarginsAround) {
  const std::string line = std::string(LineBlocks::kBlockBytes, 'x') + '\n';
  LineBlocks blocks(std::make_unique<MemoryStream>(line + line + line));
  LineBlock block;
  ASSERT_TRUE(blocks.next(block, 2));
  EXPECT_GE(std::ranges::count(block.text, '\n'), 2);
  ASSERT_GE(block.text.data(), block.memory.get() + LineBlocks::kMarginBefore);
  ASSERT_LE(block.text.data() + block.text.size(), block.memory.get() + LineBlocks::kMarginBefore + block.capacity);
  EXPECT_EQ(block.memory[0], 0);
}

TEST(LineBlocks, DamageComesBehindTheWholeLinesBeforeIt) {
  const auto error = std::make_exception_ptr(CompressedStreamError("file", 0, "the gzip stream ends early"));
  for (const std::string bytes : {"a\nb\nhalf a li", "a\nb\n"}) {
    LineBlocks blocks(std::make_unique<FailingStream>(bytes, error));
    LineBlock block;
    std::string text, damage;
    while (blocks.next(block)) {
      text += block.text;
      damage += block.damage;
    }
    EXPECT_EQ(text, "a\nb\n");
    EXPECT_EQ(damage, "the gzip stream ends early");
  }
}

TEST(LineBlocks, OtherErrorsAreKeptAsTheyAre) {
  LineBlocks blocks(
      std::make_unique<FailingStream>("a\nb", std::make_exception_ptr(InputError("file", 0, "cannot read"))));
  LineBlock block;
  ASSERT_TRUE(blocks.next(block));
  EXPECT_EQ(block.text, "a\n");
  EXPECT_NE(block.failure, nullptr);
  EXPECT_FALSE(blocks.next(block));
}

TEST(LineBlocks, AnEndlessLineIsAnError) {
  LineBlocks blocks(std::make_unique<MemoryStream>(std::string(kMostLineBytes + 1, 'x')));
  LineBlock block;
  ASSERT_TRUE(blocks.next(block));
  EXPECT_NE(block.failure, nullptr);
  EXPECT_TRUE(block.text.empty());
}

}  // namespace
}  // namespace wordbridge::line_blocks_test
