#pragma once
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "io/byte_stream.h"

namespace wordbridge {

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

inline constexpr std::uint64_t kEndless = std::uint64_t{1} << 40;

}  // namespace wordbridge
