#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace wordbridge {

/// The bytes of a file in order, decompressed where they were compressed; also of a pipe or standard input.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Up to `bytes` bytes; fewer only at the end of the stream, 0 there. Throws IoError for read errors, InputError for
  /// a compressed stream that is damaged or ends early (a CompressedStreamError), once the bytes before are handed out:
  /// so only 0 tells the end.
  virtual std::size_t read(char* buffer, std::size_t bytes) = 0;
  /// The next bytes without taking them, at most 64 KiB; fewer only near the end of the stream.
  virtual std::string_view peek(std::size_t bytes) = 0;
  /// Bytes of the (compressed) file taken so far and its size, for progress; size unknown for a pipe.
  virtual std::uint64_t file_position() const = 0;
  virtual std::optional<std::uint64_t> file_size() const = 0;
  /// "gzip", "zstd", "xz", "bzip2", or empty.
  virtual std::string compression() const = 0;
  /// As given, for messages; "standard input" for `-`.
  virtual const std::string& path() const = 0;
};

/// Opens a file for reading; compression is recognized by content. IoError for a missing file, a folder and the
/// like.
std::unique_ptr<ByteStream> open_bytes(const std::string& path);

/// The whole content of a small file. InputError where it has more than `most` bytes, decompressed: then it is not
/// `kind`, such as "an experiment".
std::string read_whole(const std::string& path, std::size_t most, std::string_view kind);

/// Bytes to be written, compressed by the path's extension (.gz .zst .xz .bz2); nothing appears before finish().
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  virtual void finish() = 0;
};
std::unique_ptr<ByteSink> create_bytes(const std::string& path);

}  // namespace wordbridge
