#include "retrieval/inner_product_export.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mapping/map_export.h"
#include "space/common_space_state.h"
#include "space/csls_statistics.h"

namespace wordbridge {

namespace {

/// What faiss 1.7 writes for an IndexFlatIP, up to the numbers.
std::string faiss_header(std::size_t rows, std::size_t cols) {
  std::string bytes = "IxFI";
  const auto put = [&](std::uint64_t value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i));
  };
  put(cols, 4);
  put(rows, 8);
  put(std::uint64_t{1} << 20, 8);  // two places that are not used any more
  put(std::uint64_t{1} << 20, 8);
  put(1, 1);  // trained
  put(0, 4);  // the metric: inner product
  put(rows * cols, 8);
  return bytes;
}

void write_rows(ConstMatrixView table, InnerProductFormat format, AtomicFile& file, float factor,
                const std::function<float(std::size_t row)>& last) {
  const std::size_t cols = table.cols() + 1;
  file.write(format == InnerProductFormat::faiss ? faiss_header(table.rows(), cols) : npy_header(table.rows(), cols));
  std::vector<float> row(cols);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    for (std::size_t j = 0; j < table.cols(); ++j) row[j] = factor * table(i, j);
    row.back() = last(i);
    file.write(row.data(), row.size() * sizeof(float));
  }
}

}  // namespace

void write_csls_items(const CommonSpace& space, std::size_t neighbors, InnerProductFormat format, AtomicFile& file) {
  constexpr float kLastOfZeroRows = -4;  // 2 cos − r_s is at least −3
  const std::span<const double> means = space.state().csls(neighbors).of_all(Side::target);
  const ConstMatrixView table = space.table(Side::target);
  write_rows(table, format, file, 2,
             [&](std::size_t i) { return is_zero(table.row(i)) ? kLastOfZeroRows : static_cast<float>(-means[i]); });
}

void write_csls_queries(const CommonSpace& space, InnerProductFormat format, AtomicFile& file) {
  write_rows(space.table(Side::source), format, file, 1, [](std::size_t) { return 1.0f; });
}

}  // namespace wordbridge
