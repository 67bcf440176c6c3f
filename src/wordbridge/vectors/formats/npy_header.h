#pragma once
#include <cstdint>
#include <string>

#include "wordbridge/vectors/formats/binary_reader.h"

namespace wordbridge {

/// The header of a NumPy .npy file that holds a table of floating-point numbers.
struct NpyHeader {
  std::size_t number_bytes = 4;  // 2, 4 or 8: float16, float32, float64
  bool big_endian = false;
  bool fortran_order = false;  // columns, not rows, follow each other
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;

  std::uint64_t data_bytes() const { return rows * cols * number_bytes; }
};

/// Takes the header (format versions 1 to 3) from the reader. InputError for damage, and for arrays that are no such
/// table, saying what they are. data_bytes() does not overflow.
NpyHeader read_npy_header(BinaryReader& reader);

/// A version 1 header for rows x cols of float32, C order: 128 bytes whatever the numbers, so that it can be
/// overwritten.
std::string make_npy_header(std::uint64_t rows, std::uint64_t cols);

}  // namespace wordbridge
