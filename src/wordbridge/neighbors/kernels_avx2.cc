// Kernels for AVX2 with FMA.
#if defined(__AVX2__)
#include <immintrin.h>

#include "wordbridge/neighbors/kernels.h"

namespace wordbridge {

namespace {

/// Lanes 4j to 4j+3 are in sums[j]. The product of two floats is exact in double, so the fused operation rounds once,
/// as the addition alone would.
float exact_score(const float* a, const float* b, std::size_t dimension) {
  __m256d sums[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()};
  std::size_t i = 0;
  for (; i + 16 <= dimension; i += 16)
    for (int j = 0; j < 4; ++j)
      sums[j] = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm_loadu_ps(a + i + 4 * j)),
                                _mm256_cvtps_pd(_mm_loadu_ps(b + i + 4 * j)), sums[j]);
  if (i < dimension) {  // zeros fill up: no lane is -0, so adding 0 changes none
    float rest_a[16] = {}, rest_b[16] = {};
    for (std::size_t l = 0; i + l < dimension; ++l) {
      rest_a[l] = a[i + l];
      rest_b[l] = b[i + l];
    }
    for (int j = 0; j < 4; ++j)
      sums[j] = _mm256_fmadd_pd(_mm256_cvtps_pd(_mm_loadu_ps(rest_a + 4 * j)),
                                _mm256_cvtps_pd(_mm_loadu_ps(rest_b + 4 * j)), sums[j]);
  }
  const __m256d eight_low = _mm256_add_pd(sums[0], sums[2]), eight_high = _mm256_add_pd(sums[1], sums[3]);
  const __m256d four = _mm256_add_pd(eight_low, eight_high);
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  const double sum = _mm_cvtsd_f64(two) + _mm_cvtsd_f64(_mm_unpackhi_pd(two, two));
  return static_cast<float>(sum) + 0.0f;
}

std::size_t select_not_below(const float* scores, std::size_t count, float threshold, std::uint32_t* passed) {
  const __m256 limit = _mm256_set1_ps(threshold);
  std::size_t found = 0, i = 0;
  for (; i + 32 <= count; i += 32) {
    const __m256 c0 = _mm256_cmp_ps(_mm256_loadu_ps(scores + i), limit, _CMP_NLT_UQ);
    const __m256 c1 = _mm256_cmp_ps(_mm256_loadu_ps(scores + i + 8), limit, _CMP_NLT_UQ);
    const __m256 c2 = _mm256_cmp_ps(_mm256_loadu_ps(scores + i + 16), limit, _CMP_NLT_UQ);
    const __m256 c3 = _mm256_cmp_ps(_mm256_loadu_ps(scores + i + 24), limit, _CMP_NLT_UQ);
    const __m256 any = _mm256_or_ps(_mm256_or_ps(c0, c1), _mm256_or_ps(c2, c3));
    if (_mm256_testz_ps(any, any)) continue;
    unsigned mask = static_cast<unsigned>(_mm256_movemask_ps(c0)) | static_cast<unsigned>(_mm256_movemask_ps(c1)) << 8 |
                    static_cast<unsigned>(_mm256_movemask_ps(c2)) << 16 |
                    static_cast<unsigned>(_mm256_movemask_ps(c3)) << 24;
    for (; mask != 0; mask &= mask - 1)
      passed[found++] = static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(__builtin_ctz(mask));
  }
  for (; i < count; ++i)
    if (!(scores[i] < threshold)) passed[found++] = static_cast<std::uint32_t>(i);
  return found;
}

}  // namespace

extern const Kernels kKernelsAvx2;
const Kernels kKernelsAvx2 = {"avx2", exact_score, select_not_below};

}  // namespace wordbridge
#endif
