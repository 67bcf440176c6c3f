#include "vectors/unit_row.h"
#if defined(__AVX2__)
#include <immintrin.h>

namespace wordbridge {

namespace {

double squared_length(const float* row, std::size_t size) {
  constexpr std::size_t kLanes = 8;
  __m256d low = _mm256_setzero_pd(), high = low;
  const std::size_t whole = size / kLanes * kLanes;
  for (std::size_t j = 0; j < whole; j += kLanes) {
    const __m256d a = _mm256_cvtps_pd(_mm_loadu_ps(row + j)), b = _mm256_cvtps_pd(_mm_loadu_ps(row + j + 4));
    low = _mm256_add_pd(low, _mm256_mul_pd(a, a));
    high = _mm256_add_pd(high, _mm256_mul_pd(b, b));
  }
  alignas(32) double lanes[kLanes];
  _mm256_store_pd(lanes, low);
  _mm256_store_pd(lanes + 4, high);
  for (std::size_t j = whole; j < size; ++j) lanes[j - whole] += static_cast<double>(row[j]) * row[j];
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  return lanes[0];
}

void to_unit(float* row, std::size_t size) {
  const double square = squared_length(row, size);
  if (square == 0) return;
  const double scale = 1 / __builtin_sqrt(square);
  const __m256d factor = _mm256_set1_pd(scale);
  const std::size_t whole = size / 4 * 4;
  for (std::size_t j = 0; j < whole; j += 4)
    _mm_storeu_ps(row + j, _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(row + j)), factor)));
  for (std::size_t j = whole; j < size; ++j) row[j] = static_cast<float>(row[j] * scale);
}

}  // namespace

const RowKernel kAvx2Rows = {squared_length, to_unit};

}  // namespace wordbridge
#endif
