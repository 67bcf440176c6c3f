#include "io/line_reader.h"

#include <utility>

#include "io/line_limit.h"

namespace wordbridge {

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

}  // namespace wordbridge
