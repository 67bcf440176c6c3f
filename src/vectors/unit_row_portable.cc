#include <array>
#include <cmath>

#include "vectors/unit_row.h"

namespace wordbridge {

namespace {

double squared_length(const float* row, std::size_t size) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> lanes{};
  const std::size_t whole = size / kLanes * kLanes;
  for (std::size_t j = 0; j < whole; j += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += static_cast<double>(row[j + l]) * row[j + l];
  for (std::size_t j = whole; j < size; ++j) lanes[j - whole] += static_cast<double>(row[j]) * row[j];
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  return lanes[0];
}

void to_unit(float* row, std::size_t size) {
  const double square = squared_length(row, size);
  if (square == 0) return;
  const double scale = 1 / std::sqrt(square);
  for (std::size_t j = 0; j < size; ++j) row[j] = static_cast<float>(row[j] * scale);
}

}  // namespace

const RowKernel kPortableRows = {squared_length, to_unit};

const RowKernel& row_kernel() {
#if defined(__x86_64__)
  static const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (avx2) return kAvx2Rows;
#endif
  return kPortableRows;
}

bool all_finite(const float* values, std::size_t size) {
  return std::isfinite(row_kernel().squared_length(values, size));
}

}  // namespace wordbridge
