#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "wordbridge/error.h"

namespace wordbridge {

enum class Compression { none, gzip, zstd, xz, bzip2 };

/// "gzip", "zstd", "xz", "bzip2", or empty.
std::string_view name_of(Compression compression);
/// By the magic numbers at the start of a file; 10 bytes suffice.
Compression recognize_compression(std::string_view first_bytes);
/// By extension: .gz .zst .xz .bz2.
Compression compression_of_path(std::string_view path);

/// A compressed stream that is damaged or ends early: the bytes before that place were handed out.
class CompressedStreamError : public InputError {
 public:
  using InputError::InputError;
};

/// Takes compressed bytes from `input` (up to so many; 0 at the end) and hands out what they hold. Streams that were
/// concatenated are read through, as the compressors' own programs do.
class Decompressor {
 public:
  using Input = std::function<std::size_t(char* buffer, std::size_t bytes)>;

  virtual ~Decompressor() = default;
  /// Up to `bytes` bytes, 0 at the end only. Damage is thrown as a CompressedStreamError once the bytes before it are
  /// handed out.
  virtual std::size_t read(char* buffer, std::size_t bytes) = 0;
};
std::unique_ptr<Decompressor> make_decompressor(Compression compression, Decompressor::Input input, std::string path);

/// Compresses what is written to it; the same bytes give the same output, whatever the number of cores.
class Compressor {
 public:
  using Output = std::function<void(std::string_view bytes)>;

  virtual ~Compressor() = default;
  virtual void write(std::string_view bytes) = 0;
  virtual void finish() = 0;
};
std::unique_ptr<Compressor> make_compressor(Compression compression, Compressor::Output output);

}  // namespace wordbridge
