#include "io/line_ends.h"

#include <algorithm>
#include <string_view>

namespace wordbridge {

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

}  // namespace wordbridge
