#include "io/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "io/compressed_stream.h"

namespace wordbridge {

InputError line_too_long(std::string path, std::uint64_t line, std::string_view kind) {
  return {std::move(path), line, fmt::format("a line of more than {} MB: not {}", kMostLineBytes >> 20, kind)};
}

std::size_t LineEnds::read(char* buffer, std::size_t bytes) {
  if (!known_) {
    constexpr std::size_t kLookAheadBytes = std::size_t{64} << 10;
    const std::string_view next = stream_.peek(kLookAheadBytes);
    const bool newline = next.find('\n') != std::string_view::npos;
    returns_ = !newline && next.find('\r') != std::string_view::npos;
    known_ = newline || returns_;
    bytes = std::min(bytes, kLookAheadBytes);  // what was looked at
  }
  const std::size_t count = stream_.read(buffer, bytes);
  if (!returns_) return count;
  const auto newline_follows = [&](std::size_t i) {
    return i + 1 < count ? buffer[i + 1] == '\n' : stream_.peek(1) == "\n";
  };
  for (std::size_t i = 0; i < count; ++i)
    if (buffer[i] == '\r' && !newline_follows(i)) buffer[i] = '\n';
  return count;
}

namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 16;

}  // namespace

LineReader::LineReader(ByteStream& stream, std::string_view kind) : stream_(stream), ends_(stream), kind_(kind) {
  if (stream.peek(3) == "\xef\xbb\xbf") {
    char mark[3];
    stream.read(mark, 3);
  }
}

std::optional<std::string_view> LineReader::next() {
  ++number_;
  for (std::size_t searched = begin_;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos && end - begin_ <= kMostLineBytes) return take(end, end + 1);
    if (at_end_) return begin_ < buffer_.size() ? std::optional(take(buffer_.size(), buffer_.size())) : std::nullopt;
    if (buffer_.size() - begin_ > kMostLineBytes) throw line_too_long(stream_.path(), number_, kind_);
    buffer_.erase(0, std::exchange(begin_, 0));
    searched = buffer_.size();
    buffer_.resize(searched + kReadBytes);
    const std::size_t got = ends_.read(buffer_.data() + searched, kReadBytes);
    buffer_.resize(searched + got);
    at_end_ = got == 0;  // a read that gives less may come before damage, which the next one tells
  }
}

std::string_view LineReader::take(std::size_t end, std::size_t next_begin) {
  const std::string_view line(buffer_.data() + begin_, end - begin_);
  begin_ = next_begin;
  return line;
}

namespace {

/// Room for `bytes` bytes of text; the first `size` ones are kept.
void reserve(LineBlock& block, std::size_t bytes, std::size_t size) {
  if (bytes <= block.capacity) return;
  auto memory = std::make_unique_for_overwrite<char[]>(LineBlocks::kMarginBefore + bytes + LineBlocks::kMarginAfter);
  std::memset(memory.get(), 0, LineBlocks::kMarginBefore);
  if (size > 0)
    std::memcpy(memory.get() + LineBlocks::kMarginBefore, block.memory.get() + LineBlocks::kMarginBefore, size);
  block.memory = std::move(memory);
  block.capacity = bytes;
}

bool has_lines(std::string_view text, std::size_t lines) {
  for (std::size_t at = 0; lines > 0; --lines) {
    at = text.find('\n', at);
    if (at++ == std::string_view::npos) return false;
  }
  return true;
}

}  // namespace

/// Reads at most `most` bytes behind the first `size` ones; 0 at the end.
std::size_t LineBlocks::fill(LineBlock& block, std::size_t size, std::size_t most) {
  try {
    return ends_.read(block.memory.get() + kMarginBefore + size, most);
  } catch (const CompressedStreamError& error) {
    block.damage = error.reason();
  } catch (...) {
    block.failure = std::current_exception();
  }
  return 0;
}

bool LineBlocks::next(LineBlock& block, std::size_t least_lines) {
  block.text = {};
  block.last = false;
  block.damage.clear();
  block.failure = nullptr;
  if (ended_) return false;
  reserve(block, std::max(kBlockBytes, carry_.size() + kBlockBytes / 4), 0);
  std::size_t size = carry_.copy(block.memory.get() + kMarginBefore, carry_.size());
  carry_.clear();
  std::string_view text;
  std::size_t line_begin = 0;  // of the line whose end has not come yet
  bool near_end = false;       // a read that gives less than it may shows that the next one meets the end, or an error
  do {
    if (size == block.capacity) reserve(block, 2 * size, size);
    // No further than to the first byte that makes a line too long: so every such line is seen before its end is.
    const std::size_t most = std::min(std::exchange(begun_, true) ? block.capacity - size : kStartBytes,
                                      line_begin + kMostLineBytes + 1 - size);
    const std::size_t count = fill(block, size, most);
    ended_ = count == 0;
    near_end = count < most;
    size += count;
    text = {block.memory.get() + kMarginBefore, size};
    if (const std::size_t end = text.substr(size - count).rfind('\n'); end != std::string_view::npos)
      line_begin = size - count + end + 1;
    if (size - line_begin > kMostLineBytes) {  // whoever takes lines before it knows its number better
      block.failure = std::make_exception_ptr(line_too_long(stream_->path(), 1, "a file of text vectors"));
      ended_ = true;
    }
  } while (!ended_ && (near_end || !has_lines(text, least_lines)));
  const bool sound = block.damage.empty() && block.failure == nullptr;
  if (!ended_ || !sound) {
    const std::size_t end = text.rfind('\n') + 1;  // 0 where there is none
    carry_ = text.substr(end);
    text = text.substr(0, end);
  }
  std::memset(block.memory.get() + kMarginBefore + size, 0, kMarginAfter);
  block.text = text;
  find_end(block);
  return !text.empty() || !sound;
}

/// A block that reaches the end of the file is the last, also where no read has met the end yet.
void LineBlocks::find_end(LineBlock& block) {
  if (!ended_ && carry_.empty()) {
    try {
      ended_ = stream_->peek(1).empty();
    } catch (...) {  // will be thrown again, and told, by the next read
    }
  }
  block.last = ended_;
}

}  // namespace wordbridge
