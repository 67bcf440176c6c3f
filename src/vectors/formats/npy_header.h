#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "io/binary_reader.h"

namespace wordbridge {

/// The header of a NumPy .npy file that holds a table of floating-point numbers.
struct NpyHeader {
  std::size_t number_bytes = 4;  // 2, 4 or 8: float16, float32, float64
  bool big_endian = false;
  bool fortran_order = false;  // columns, not rows, follow each other
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  /// Of the list of words that was written with the table; only tables of our own have one. It is what tells a table
  /// from one of which only this file was replaced, or only the list.
  std::optional<std::uint64_t> words_digest;

  std::uint64_t data_bytes() const { return rows * cols * number_bytes; }
};

/// Takes the header (format versions 1 to 3) from the reader. InputError for damage, and for arrays that are no such
/// table, saying what they are. data_bytes() does not overflow.
NpyHeader read_npy_header(BinaryReader& reader);

/// A version 1 header for rows x cols of float32, C order: 192 bytes whatever the numbers, so that it can be
/// overwritten. The digest stands in the blanks that fill it up, where no reader of .npy files minds it: 72 blanks at
/// the end are bits, a tab for 1 and a space for 0, the highest first; 8 of a mark (hexadecimal 57), 64 of the digest.
std::string make_npy_header(std::uint64_t rows, std::uint64_t cols,
                            std::optional<std::uint64_t> words_digest = std::nullopt);

}  // namespace wordbridge
