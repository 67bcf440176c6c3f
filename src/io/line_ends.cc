#include "io/line_ends.h"

#include <string_view>

namespace wordbridge {

std::size_t LineEnds::read(char* buffer, std::size_t bytes) {
  if (!begun_) {
    constexpr std::size_t kStartBytes = std::size_t{64} << 10;
    const std::string_view start = stream_.peek(kStartBytes);
    returns_ = start.find('\n') == std::string_view::npos && start.find('\r') != std::string_view::npos;
    begun_ = true;
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
