#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "io/byte_stream.h"

namespace wordbridge {

/// Bytes of a file in one piece: a mapping of the file, or memory that was filled from a stream. The bytes live as long
/// as `owner`.
struct MemoryBlock {
  char* data = nullptr;
  std::size_t bytes = 0;
  std::shared_ptr<void> owner;
};

/// The next `bytes` bytes of the stream, 64-byte aligned. Memory is taken as the bytes arrive, so a wrong size in a
/// header costs nothing. InputError where the stream ends before, or the size is beyond what the machine can address.
MemoryBlock read_block(ByteStream& stream, std::uint64_t bytes);

/// The plain file behind a stream, for readers that map parts of it instead of taking all bytes in order. A mapped file
/// must not be cut short by somebody else while it is in use (replacing it by another one is fine).
class PlainFile {
 public:
  /// nullopt if the stream is compressed, a pipe, or not to be found again under its path. `position` is where the
  /// stream stands; its next bytes are compared with the file's.
  static std::optional<PlainFile> behind(ByteStream& stream, std::uint64_t position);

  /// Bytes [offset, offset + bytes) of the file, to be read only; nullopt if the file cannot be mapped. `offset` a
  /// multiple of 64 gives 64-byte aligned data.
  std::optional<MemoryBlock> map(std::uint64_t offset, std::uint64_t bytes) const;

  /// Bytes [offset, offset + bytes) copied, for any number of threads at once. IoError where the system refuses,
  /// InputError where the file has become shorter.
  void read(std::uint64_t offset, char* buffer, std::size_t bytes) const;
  /// Lets the system bring bytes from the disk that are read soon; only a hint.
  void will_need(std::uint64_t offset, std::uint64_t bytes) const;

  std::uint64_t size() const { return size_; }

 private:
  PlainFile(std::shared_ptr<void> descriptor, std::uint64_t size, std::string path)
      : descriptor_(std::move(descriptor)), size_(size), path_(std::move(path)) {}

  std::shared_ptr<void> descriptor_;  // an int, closed with the last copy
  std::uint64_t size_;
  std::string path_;
};

}  // namespace wordbridge
