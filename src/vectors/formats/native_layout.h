#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "vectors/table_sums.h"

namespace wordbridge {

// The bytes of a .wbvec file, version 1 (docs/file-formats.md): header, table, zeros up to a multiple of 64, words,
// zeros up to a multiple of 64, index. All numbers are little-endian; the structs below are the file's bytes.

inline constexpr std::array<char, 8> kNativeMagic = {'\x89', 'W', 'B', 'V', 'E', 'C', '\r', '\n'};
inline constexpr std::uint32_t kNativeVersion = 1;

/// The first 128 bytes.
struct NativeHeader {
  std::array<char, 8> magic = kNativeMagic;
  std::uint32_t version = kNativeVersion;
  std::uint32_t table_offset = 128;  // the header's size
  std::uint64_t rows = 0;
  std::uint64_t dimension = 0;
  std::uint64_t words_offset = 0;
  std::uint64_t words_bytes = 0;
  std::uint64_t index_offset = 0;
  std::uint64_t file_bytes = 0;
  std::uint32_t block_rows = kContentBlockRows;
  std::uint32_t entry_bytes = 64;
  std::uint64_t index_checksum = 0;  // XXH3 of the index
  std::uint64_t space = 0;           // the common space that the vectors are in; 0: unknown
  std::array<char, 32> reserved = {};
  std::uint64_t header_checksum = 0;  // XXH3 of the 120 bytes before

  std::uint64_t table_bytes() const { return rows * dimension * sizeof(float); }
  std::uint64_t table_end() const { return table_offset + table_bytes(); }
  std::size_t blocks() const { return static_cast<std::size_t>((rows + block_rows - 1) / block_rows); }
  /// Rows of a block: block_rows, fewer in the last.
  std::size_t rows_of(std::size_t block) const;
};
static_assert(sizeof(NativeHeader) == 128);

/// One entry of the index: a block of rows and its words.
struct NativeEntry {
  std::uint64_t words_begin = 0;  // relative to words_offset
  std::uint64_t words_bytes = 0;
  std::uint64_t table_checksum = 0;  // XXH3 of the block's rows
  std::uint64_t words_checksum = 0;  // XXH3 of the block's words as they are stored
  Sha256::Digest content_digest = {};
};
static_assert(sizeof(NativeEntry) == 64);

/// The header of a file with this content, complete with its checksum.
NativeHeader make_native_header(std::uint64_t rows, std::uint64_t dimension, std::uint64_t words_bytes,
                                std::span<const NativeEntry> index, std::uint64_t space = 0);

/// Checks everything that the header says, against its checksum and itself; no size in it can overflow afterwards.
/// InputError for `path` otherwise.
NativeHeader parse_native_header(const std::string& path, std::span<const char, 128> bytes);

/// All that follows the table: padding, words, padding, index. Keeps a view of `tail`. InputError for `path` where
/// padding or index are damaged; words are checked block by block.
class NativeTail {
 public:
  NativeTail(const std::string& path, const NativeHeader& header, std::string_view tail);

  const NativeEntry& entry(std::size_t block) const { return index_[block]; }
  /// The words of a block; nullopt if they are damaged.
  std::optional<std::vector<std::string_view>> words(std::size_t block) const;

 private:
  NativeHeader header_;
  std::string_view words_;
  std::vector<NativeEntry> index_;
};

/// A word as it is stored: its length as a 32-bit number, its bytes.
void append_native_word(std::string& words, std::string_view word);

/// The next multiple of 64.
constexpr std::uint64_t native_aligned(std::uint64_t offset) { return (offset + 63) / 64 * 64; }

}  // namespace wordbridge
