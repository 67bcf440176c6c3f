#include "wordbridge/vectors/formats/line_limit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "wordbridge/vectors/formats/line_reader.h"
#include "wordbridge/vectors/formats/text.h"

namespace wordbridge::line_limit_test {
namespace {

using ::testing::EndsWith;

/// So many bytes `x` behind a start, and then the end: an endless line takes no memory here.
class EndlessLine final : public ByteStream {
 public:
  EndlessLine(std::string start, std::uint64_t bytes) : start_(std::move(start)), left_(bytes) {}
  std::size_t read(char* buffer, std::size_t bytes) override {
    std::size_t count = start_.copy(buffer, bytes);
    start_.erase(0, count);
    const std::size_t more = std::min<std::uint64_t>(bytes - count, left_);
    std::memset(buffer + count, 'x', more);
    left_ -= more;
    taken_ += count + more;
    return count + more;
  }
  std::string_view peek(std::size_t bytes) override {
    seen_ = start_.substr(0, bytes);
    seen_.append(std::min<std::uint64_t>(bytes - seen_.size(), left_), 'x');
    return seen_;
  }
  std::uint64_t file_position() const override { return taken_; }
  std::optional<std::uint64_t> file_size() const override { return std::nullopt; }
  std::string compression() const override { return "zstd"; }
  const std::string& path() const override { return path_; }

 private:
  std::string start_, seen_, path_ = "bomb.zst";
  std::uint64_t left_, taken_ = 0;
};

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

constexpr std::uint64_t kEndless = std::uint64_t{1} << 40;

TEST(LineLimit, HoldsBehindAHeaderOfVectors) {
  for (const char* start : {"", "10 2\n", "10 2\na 1 2\n", "a 1 2\nb 1 2\n"}) {
    for (const bool whole : {false, true}) {
      auto stream = std::make_unique<EndlessLine>(start, kEndless);
      const EndlessLine& watched = *stream;
      const std::string error = error_of([&] {
        if (whole) {
          read_text(std::move(stream), {.lenient = true});
        } else {
          const auto source = open_text(std::move(stream), {.lenient = true});
          EXPECT_LE(watched.file_position(), kMostLineBytes + (std::uint64_t{4} << 20));
          while (source->next()) {
          }
        }
      });
      EXPECT_THAT(error, EndsWith(": a line of more than 64 MB: not a file of text vectors"));
      EXPECT_EQ(error.substr(0, 11),
                "bomb.zst:" + std::to_string(std::count(start, start + strlen(start), '\n') + 1) + ":");
    }
  }
}

TEST(LineLimit, HoldsForTheReaderOfLines) {
  EndlessLine stream("one\ntwo\n", kEndless);
  LineReader lines(stream, "a lexicon");
  lines.next();
  lines.next();
  EXPECT_EQ(error_of([&] { lines.next(); }), "bomb.zst:3: a line of more than 64 MB: not a lexicon");
}

TEST(LineLimit, ALineOfThatLengthIsStillRead) {
  EndlessLine stream("", kMostLineBytes);
  LineReader lines(stream, "a lexicon");
  EXPECT_EQ(lines.next()->size(), kMostLineBytes);
  EXPECT_FALSE(lines.next());
}

}  // namespace
}  // namespace wordbridge::line_limit_test
