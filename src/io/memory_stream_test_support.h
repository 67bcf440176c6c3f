#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "io/byte_stream.h"

namespace wordbridge {

/// Bytes in memory as a stream, for tests and fuzzing.
class MemoryStream : public ByteStream {
 public:
  /// `size_known`: like a file; else like a pipe.
  explicit MemoryStream(std::string bytes, bool size_known = true, std::string path = "memory")
      : bytes_(std::move(bytes)), size_known_(size_known), path_(std::move(path)) {}

  std::size_t read(char* buffer, std::size_t bytes) override {
    const std::size_t count = bytes_.copy(buffer, bytes, position_);
    position_ += count;
    return count;
  }
  std::string_view peek(std::size_t bytes) override { return std::string_view(bytes_).substr(position_, bytes); }
  std::uint64_t file_position() const override { return position_; }
  std::optional<std::uint64_t> file_size() const override {
    return size_known_ ? std::optional<std::uint64_t>(bytes_.size()) : std::nullopt;
  }
  std::string compression() const override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  std::string bytes_;
  std::size_t position_ = 0;
  bool size_known_;
  std::string path_;
};

}  // namespace wordbridge
