#pragma once
#include <string>
#include <string_view>
#include <utility>

#include "wordbridge/vectors/formats/byte_stream.h"

namespace wordbridge {

/// A stream over bytes in memory, for tests of readers.
class MemoryStream : public ByteStream {
 public:
  explicit MemoryStream(std::string bytes, std::string path = "memory")
      : bytes_(std::move(bytes)), path_(std::move(path)) {}

  std::size_t read(char* buffer, std::size_t bytes) override {
    const std::size_t got = bytes_.copy(buffer, bytes, position_);
    position_ += got;
    return got;
  }
  std::string_view peek(std::size_t bytes) override { return std::string_view(bytes_).substr(position_, bytes); }
  std::uint64_t file_position() const override { return position_; }
  std::optional<std::uint64_t> file_size() const override { return bytes_.size(); }
  std::string compression() const override { return {}; }
  const std::string& path() const override { return path_; }

 private:
  std::string bytes_;
  std::string path_;
  std::size_t position_ = 0;
};

}  // namespace wordbridge
