#include "io/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error_test_support.h"
#include "base/random.h"
#include "io/compressed_stream.h"
#include "io/endless_line_test_support.h"
#include "io/memory_stream_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::lines_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(LineLimit, HoldsForTheReaderOfLines) {
  EndlessLine stream("one\ntwo\n", kEndless);
  LineReader lines(stream, "a lexicon");
  lines.next();
  lines.next();
  EXPECT_EQ(input_error_of([&] { lines.next(); }), "bomb.zst:3: a line of more than 64 MB: not a lexicon");
}

TEST(LineLimit, ALineOfThatLengthIsStillRead) {
  EndlessLine stream("", kMostLineBytes);
  LineReader lines(stream, "a lexicon");
  EXPECT_EQ(lines.next()->size(), kMostLineBytes);
  EXPECT_FALSE(lines.next());
}

/// What comes out when so many bytes are read at once.
std::string read_all(const std::string& text, std::size_t bytes) {
  MemoryStream stream(text);
  LineEnds ends(stream);
  std::string buffer(bytes, '?'), result;
  while (const std::size_t count = ends.read(buffer.data(), bytes)) result.append(buffer, 0, count);
  return result;
}

TEST(LineEnds, CarriageReturnsAloneAreNewlines) {
  for (const std::size_t bytes : {1, 2, 3, 100}) {
    EXPECT_EQ(read_all("one\rtwo\r\rthree\r", bytes), "one\ntwo\n\nthree\n") << bytes;
    EXPECT_EQ(read_all("one\rtwo\nthree\r\n", bytes), "one\rtwo\nthree\r\n") << bytes;
    EXPECT_EQ(read_all("one", bytes), "one") << bytes;
  }
}

TEST(LineEnds, LinesMayBeLong) {
  const std::string begin(100'000, 'x');
  for (const std::size_t bytes : {1000, 65'536, 200'000}) {
    EXPECT_EQ(read_all(begin + "\rtwo\r", bytes), begin + "\ntwo\n") << bytes;
    EXPECT_EQ(read_all(begin + "\r\ntwo\rthree\r\n", bytes), begin + "\r\ntwo\rthree\r\n") << bytes;
  }
}

TEST(LineEnds, NewlinesFarBehindDoNotMakeEmptyLines) {
  const std::string begin(70'000, 'x');
  for (const std::size_t bytes : {1, 1000, 200'000})
    EXPECT_EQ(read_all("one\r" + begin + "\rtwo\r\nthree\n", bytes), "one\n" + begin + "\ntwo\r\nthree\n") << bytes;
}

std::vector<std::string> lines_of(std::string text) {
  MemoryStream stream(std::move(text));
  LineReader reader(stream, "a poem");
  std::vector<std::string> lines;
  while (const auto line = reader.next()) {
    lines.emplace_back(*line);
    EXPECT_EQ(reader.number(), lines.size());
  }
  return lines;
}

TEST(LineReader, GivesLinesWithoutTheirEnds) {
  EXPECT_THAT(lines_of(""), IsEmpty());
  EXPECT_THAT(lines_of("one"), ElementsAre("one"));
  EXPECT_THAT(lines_of("one\n\ntwo\r\n"), ElementsAre("one", "", "two\r"));
}

TEST(LineReader, DropsAByteOrderMarkAtTheBeginningOnly) {
  EXPECT_THAT(lines_of("\xef\xbb\xbfone\n\xef\xbb\xbftwo"), ElementsAre("one", "\xef\xbb\xbftwo"));
}

TEST(LineReader, LinesMayBeLongerThanABlock) {
  const std::string line(200'000, 'x');
  EXPECT_THAT(lines_of("a\n" + line + "\nb\n" + line), ElementsAre("a", line, "b", line));
}

TEST(LineReader, EndlessLinesAreRefused) {
  try {
    lines_of("first\n" + std::string((std::size_t{64} << 20) + 200'000, 'x'));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 2);
    EXPECT_THAT(error.what(), HasSubstr("not a poem"));
  }
}

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

}  // namespace wordbridge::lines_test
