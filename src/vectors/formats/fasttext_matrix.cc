#include "vectors/formats/fasttext_matrix.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace wordbridge {

namespace {

std::span<const std::uint8_t> codes_of(const MemoryBlock& block, std::uint64_t row, std::int32_t parts) {
  const auto count = static_cast<std::size_t>(parts);
  return {reinterpret_cast<const std::uint8_t*>(block.data) + row * count, count};
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> read_fasttext_shape(BinaryReader& reader, std::string_view matrix) {
  const auto rows = reader.read<std::int64_t>(matrix);
  const auto cols = reader.read<std::int64_t>(matrix);
  if (rows < 0 || rows > std::int64_t{1} << 40 || cols <= 0 || cols > static_cast<std::int64_t>(kMaxDimension))
    reader.fail(fmt::format("{} makes no sense ({} x {})", matrix, rows, cols));
  return {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(cols)};
}

FastTextQuantizer::FastTextQuantizer(BinaryReader& reader) {
  dimension_ = reader.read<std::int32_t>("the quantizer");
  parts_ = reader.read<std::int32_t>("the quantizer");
  part_size_ = reader.read<std::int32_t>("the quantizer");
  last_part_size_ = reader.read<std::int32_t>("the quantizer");
  const bool sensible = dimension_ > 0 && static_cast<std::uint64_t>(dimension_) <= kMaxDimension && parts_ > 0 &&
                        part_size_ > 0 && last_part_size_ > 0 && last_part_size_ <= part_size_ &&
                        (std::int64_t{parts_} - 1) * part_size_ + last_part_size_ == dimension_;
  if (!sensible)
    reader.fail(fmt::format("the quantizer makes no sense (dimension {} in {} parts of {}, the last of {})", dimension_,
                            parts_, part_size_, last_part_size_));
  const std::uint64_t bytes = static_cast<std::uint64_t>(dimension_) * kCentroids * sizeof(float);
  reader.require(bytes, "the quantizer");
  const MemoryBlock block = reader.read_block(bytes);
  centroids_.resize(bytes / sizeof(float));
  std::memcpy(centroids_.data(), block.data, bytes);
}

void FastTextQuantizer::add(std::span<const std::uint8_t> codes, float scale, std::span<float> sum) const {
  for (std::size_t part = 0; part < codes.size(); ++part) {
    const auto begin = part * static_cast<std::size_t>(part_size_);
    const auto size = static_cast<std::size_t>(part + 1 == codes.size() ? last_part_size_ : part_size_);
    const float* centroid = centroids_.data() + begin * kCentroids + codes[part] * size;
    for (std::size_t j = 0; j < size; ++j) sum[begin + j] += scale * centroid[j];
  }
}

FastTextMatrix FastTextMatrix::read_dense(BinaryReader& reader) {
  const auto [rows, cols] = read_fasttext_shape(reader, "the input matrix");
  FastTextMatrix matrix(rows, cols);
  const std::uint64_t bytes = rows * cols * sizeof(float);
  reader.require(bytes, fmt::format("the input matrix ({} x {})", rows, cols));
  if (const auto file = reader.plain_file()) {
    if (auto mapped = file->map(reader.offset(), bytes)) {
      matrix.data_ = std::move(*mapped);
      return matrix;
    }
  }
  matrix.data_ = reader.read_block(bytes);
  return matrix;
}

FastTextMatrix FastTextMatrix::read_quantized(BinaryReader& reader) {
  const bool has_norms = reader.read<std::uint8_t>("the input matrix") != 0;
  const auto [rows, cols] = read_fasttext_shape(reader, "the input matrix");
  FastTextMatrix matrix(rows, cols);
  const auto code_bytes = reader.read<std::int32_t>("the input matrix");
  if (code_bytes < 0) reader.fail(fmt::format("the input matrix makes no sense ({} codes)", code_bytes));
  reader.require(static_cast<std::uint64_t>(code_bytes), "the quantized input matrix");
  matrix.data_ = reader.read_block(static_cast<std::uint64_t>(code_bytes));
  matrix.quantizer_ = FastTextQuantizer(reader);
  if (static_cast<std::uint64_t>(matrix.quantizer_.dimension()) != cols ||
      static_cast<std::uint64_t>(matrix.quantizer_.parts()) * rows != static_cast<std::uint64_t>(code_bytes))
    reader.fail(fmt::format("the quantized input matrix makes no sense ({} x {} in {} codes of dimension {})", rows,
                            cols, code_bytes, matrix.quantizer_.dimension()));
  if (!has_norms) return matrix;
  reader.require(rows, "the quantized norms");
  matrix.norm_codes_ = reader.read_block(rows);
  matrix.norm_quantizer_ = FastTextQuantizer(reader);
  if (matrix.norm_quantizer_.dimension() != 1) reader.fail("the quantizer of the norms is not one of single numbers");
  return matrix;
}

void FastTextMatrix::add_row(std::uint64_t row, std::span<float> sum) const {
  if (quantizer_.parts() > 0) {
    const float norm =
        norm_codes_.bytes == 0 ? 1.0F : norm_quantizer_.first(static_cast<std::uint8_t>(norm_codes_.data[row]));
    quantizer_.add(codes_of(data_, row, quantizer_.parts()), norm, sum);
    return;
  }
  const char* values = data_.data + row * cols_ * sizeof(float);
  for (std::size_t j = 0; j < sum.size(); ++j) {
    float value = 0;  // the matrix begins at any byte of the file
    std::memcpy(&value, values + j * sizeof(float), sizeof(float));
    sum[j] += value;
  }
}

}  // namespace wordbridge
