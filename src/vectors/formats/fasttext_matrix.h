#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "io/binary_reader.h"
#include "io/memory_block.h"

namespace wordbridge {

/// The rows and columns of the matrix of that name, both sensible: rows * cols * 4 does not overflow afterwards.
std::pair<std::uint64_t, std::uint64_t> read_fasttext_shape(BinaryReader& reader, std::string_view matrix);

/// A product quantizer of fastText: a vector is cut into parts, each replaced by the nearest of its 256 centroids.
class FastTextQuantizer {
 public:
  FastTextQuantizer() = default;
  explicit FastTextQuantizer(BinaryReader& reader);

  std::int32_t dimension() const { return dimension_; }
  /// Codes (bytes) of a vector.
  std::int32_t parts() const { return parts_; }
  /// sum += scale * the vector with these codes; sum.size() == dimension().
  void add(std::span<const std::uint8_t> codes, float scale, std::span<float> sum) const;
  float first(std::uint8_t code) const { return centroids_[code]; }

 private:
  static constexpr std::size_t kCentroids = 256;
  std::int32_t dimension_ = 0, parts_ = 0, part_size_ = 0, last_part_size_ = 0;
  std::vector<float> centroids_;  // part after part, 256 x the part's size each
};

/// The input matrix of a fastText model, dense or quantized. A dense one, which may be gigabytes, stays in its file
/// where that can be mapped.
class FastTextMatrix {
 public:
  static FastTextMatrix read_dense(BinaryReader& reader);
  static FastTextMatrix read_quantized(BinaryReader& reader);

  std::uint64_t rows() const { return rows_; }
  std::uint64_t cols() const { return cols_; }
  /// sum += the row; sum.size() == cols().
  void add_row(std::uint64_t row, std::span<float> sum) const;

 private:
  FastTextMatrix(std::uint64_t rows, std::uint64_t cols) : rows_(rows), cols_(cols) {}

  std::uint64_t rows_, cols_;
  MemoryBlock data_;  // dense: rows x cols float32, not aligned; quantized: rows x parts codes
  FastTextQuantizer quantizer_;
  MemoryBlock norm_codes_;  // where the norms are quantized apart: one code a row
  FastTextQuantizer norm_quantizer_;
};

}  // namespace wordbridge
