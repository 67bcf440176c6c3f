#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace wordbridge {

/// A file, a pipe or standard input (`-`), read as it is.
class InputFile {
 public:
  /// IoError for a missing file, a folder, no permission.
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Up to `bytes` bytes, as many as are there; 0 at the end and after cancel().
  std::size_t read(char* buffer, std::size_t bytes);
  /// May be called from another thread: a read that waits for a pipe's writer gives up.
  void cancel();

  std::uint64_t position() const { return position_.load(std::memory_order_relaxed); }
  /// Unknown for a pipe.
  std::optional<std::uint64_t> size() const { return size_; }
  /// As given, for messages; "standard input" for `-`.
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(int error_number) const;
  bool wait();

  std::string path_;
  int descriptor_ = -1;
  int cancel_ = -1;  // an event that ends the waiting
  bool owned_ = false;
  std::optional<std::uint64_t> size_;
  std::atomic<std::uint64_t> position_{0};
};

}  // namespace wordbridge
