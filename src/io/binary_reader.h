#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "io/byte_stream.h"
#include "io/memory_block.h"

namespace wordbridge {

static_assert(std::endian::native == std::endian::little, "all binary formats are little-endian and read as they are");

/// Words longer than this are taken for damage: no real word comes near, and a file that is not what it seems to be
/// must not be taken into memory as one word.
inline constexpr std::size_t kMaxWordBytes = 65535;
/// Likewise for the numbers of one row.
inline constexpr std::uint64_t kMaxDimension = std::uint64_t{1} << 20;

/// Values of fixed size out of a byte stream, counted, so that sizes can be checked against what is left.
class BinaryReader {
 public:
  /// The stream outlives the reader and stands at its first byte.
  explicit BinaryReader(ByteStream& stream) : stream_(stream) {}

  /// A little-endian number; `what` names it where the file ends early.
  template <class T>
  T read(std::string_view what) {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    read(&value, sizeof(value), what);
    return value;
  }
  void read(void* buffer, std::size_t bytes, std::string_view what);
  /// Up to `bytes` bytes, fewer only at the end (of a compressed stream: its sound end).
  std::size_t read_some(void* buffer, std::size_t bytes);
  /// As read_block() of memory_block.h.
  MemoryBlock read_block(std::uint64_t bytes);
  /// The bytes before the next `end`, which is taken too; nullopt if kMaxWordBytes bytes hold no `end`, or the
  /// stream ends before one (at_end() then tells these apart).
  std::optional<std::string> read_word(char end);
  /// The next bytes without taking them.
  std::string_view peek(std::size_t bytes) { return stream_.peek(bytes); }
  bool at_end() { return stream_.peek(1).empty(); }

  std::uint64_t offset() const { return offset_; }
  /// The plain file behind the stream, if there is one.
  std::optional<PlainFile> plain_file() { return PlainFile::behind(stream_, offset_); }
  /// Bytes left; unknown for a pipe or a compressed file.
  std::optional<std::uint64_t> remaining() const;
  /// Fails where `bytes` more bytes cannot be there; `what` would hold them.
  void require(std::uint64_t bytes, std::string_view what) const;
  /// InputError about the file as a whole.
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  ByteStream& stream_;
  std::uint64_t offset_ = 0;
};

}  // namespace wordbridge
