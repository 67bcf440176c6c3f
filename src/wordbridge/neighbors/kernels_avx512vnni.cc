// Kernels for AVX-512 with VNNI.
#if defined(__AVX512VNNI__)
// GCC's own header leaves registers undefined on purpose.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#include "wordbridge/neighbors/kernels.h"

namespace wordbridge {

namespace {

/// Lanes 0 to 7 are in `low`, 8 to 15 in `high`. The product of two floats is exact in double, so the fused operation
/// rounds once, as the addition alone would.
float exact_score(const float* a, const float* b, std::size_t dimension) {
  __m512d low = _mm512_setzero_pd(), high = _mm512_setzero_pd();
  std::size_t i = 0;
  for (; i + 16 <= dimension; i += 16) {
    low = _mm512_fmadd_pd(_mm512_cvtps_pd(_mm256_loadu_ps(a + i)), _mm512_cvtps_pd(_mm256_loadu_ps(b + i)), low);
    high =
        _mm512_fmadd_pd(_mm512_cvtps_pd(_mm256_loadu_ps(a + i + 8)), _mm512_cvtps_pd(_mm256_loadu_ps(b + i + 8)), high);
  }
  if (i < dimension) {  // zeros fill up: no lane is -0, so adding 0 changes none
    const unsigned mask = (1u << (dimension - i)) - 1;
    const __mmask8 first = static_cast<__mmask8>(mask), second = static_cast<__mmask8>(mask >> 8);
    low = _mm512_fmadd_pd(_mm512_cvtps_pd(_mm256_maskz_loadu_ps(first, a + i)),
                          _mm512_cvtps_pd(_mm256_maskz_loadu_ps(first, b + i)), low);
    high = _mm512_fmadd_pd(_mm512_cvtps_pd(_mm256_maskz_loadu_ps(second, a + i + 8)),
                           _mm512_cvtps_pd(_mm256_maskz_loadu_ps(second, b + i + 8)), high);
  }
  const __m512d eight = _mm512_add_pd(low, high);
  const __m256d four = _mm256_add_pd(_mm512_castpd512_pd256(eight), _mm512_extractf64x4_pd(eight, 1));
  const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(four), _mm256_extractf128_pd(four, 1));
  const double sum = _mm_cvtsd_f64(two) + _mm_cvtsd_f64(_mm_unpackhi_pd(two, two));
  return static_cast<float>(sum) + 0.0f;
}

std::size_t select_not_below(const float* scores, std::size_t count, float threshold, std::uint32_t* passed) {
  const __m512 limit = _mm512_set1_ps(threshold);
  std::size_t found = 0, i = 0;
  for (; i + 64 <= count; i += 64) {
    const __mmask16 m0 = _mm512_cmp_ps_mask(_mm512_loadu_ps(scores + i), limit, _CMP_NLT_UQ);
    const __mmask16 m1 = _mm512_cmp_ps_mask(_mm512_loadu_ps(scores + i + 16), limit, _CMP_NLT_UQ);
    const __mmask16 m2 = _mm512_cmp_ps_mask(_mm512_loadu_ps(scores + i + 32), limit, _CMP_NLT_UQ);
    const __mmask16 m3 = _mm512_cmp_ps_mask(_mm512_loadu_ps(scores + i + 48), limit, _CMP_NLT_UQ);
    std::uint64_t mask = static_cast<std::uint64_t>(m0) | static_cast<std::uint64_t>(m1) << 16 |
                         static_cast<std::uint64_t>(m2) << 32 | static_cast<std::uint64_t>(m3) << 48;
    for (; mask != 0; mask &= mask - 1)
      passed[found++] = static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(__builtin_ctzll(mask));
  }
  for (; i < count; ++i)
    if (!(scores[i] < threshold)) passed[found++] = static_cast<std::uint32_t>(i);
  return found;
}

}  // namespace

extern const Kernels kKernelsAvx512Vnni;
const Kernels kKernelsAvx512Vnni = {"avx512vnni", exact_score, select_not_below};

}  // namespace wordbridge
#endif
