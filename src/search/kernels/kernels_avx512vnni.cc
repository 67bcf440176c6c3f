// Kernels for AVX-512 with VNNI.
#if defined(__AVX512VNNI__)
// GCC's own header leaves registers undefined on purpose.
#pragma GCC diagnostic ignored "-Wuninitialized"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "search/kernels/kernels.h"

namespace wordbridge {

namespace {

#include "search/kernels/encode_loops.inc"
#include "search/kernels/level_loops.inc"

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

constexpr std::size_t kTileQueries = 6;
constexpr std::size_t kTileVectors = kPanelRows / 16;

/// sums += the products of unsigned `codes` and signed `row`, four to a 32-bit lane. Not the intrinsic function: GCC 12
/// copies the sums around it and spills them in every round of the loop.
inline __attribute__((always_inline)) void multiply_add(__m512i& sums, __m512i codes, __m512i row) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(codes), "v"(row));
}

/// kTileQueries queries from query i on against panel p: 24 sums of 16 rows each, which stay in registers.
template <bool kTwoSided, bool kBlocks>
void screen_tile(const FilterJob& job, std::size_t i, std::size_t p) {
  const std::size_t first = p * kPanelRows, stride = 4 * job.groups;
  const std::int8_t* rows = job.rows + first * stride;
  const std::uint8_t* query[kTileQueries];
#pragma GCC unroll 6
  for (std::size_t t = 0; t < kTileQueries; ++t) query[t] = job.queries[i + t];
  __m512i sums[kTileQueries][kTileVectors];
#pragma GCC unroll 4
  for (std::size_t v = 0; v < kTileVectors; ++v) {
    const __m512i correction = _mm512_loadu_si512(job.row_correction + first + 16 * v);
#pragma GCC unroll 6
    for (std::size_t t = 0; t < kTileQueries; ++t) sums[t][v] = correction;
  }
  for (std::size_t g = 0; g < job.groups; ++g, rows += 4 * kPanelRows) {
    __m512i row[kTileVectors];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kTileVectors; ++v) row[v] = _mm512_loadu_si512(rows + 64 * v);
#pragma GCC unroll 6
    for (std::size_t t = 0; t < kTileQueries; ++t) {
      int four;
      __builtin_memcpy(&four, query[t] + 4 * g, 4);
      const __m512i codes = _mm512_set1_epi32(four);
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kTileVectors; ++v) multiply_add(sums[t][v], codes, row[v]);
    }
  }
  __m512 largest[kTileQueries];
#pragma GCC unroll 6
  for (std::size_t t = 0; t < kTileQueries; ++t) largest[t] = _mm512_set1_ps(-__builtin_inff());
#pragma GCC unroll 4
  for (std::size_t v = 0; v < kTileVectors; ++v) {
    const std::size_t row = first + 16 * v;
    const __m512 scale = _mm512_loadu_ps(job.row_scale + row), lead = _mm512_loadu_ps(job.row_lead + row);
    const __m512 slack = _mm512_loadu_ps(job.row_slack + row);
#pragma GCC unroll 6
    for (std::size_t t = 0; t < kTileQueries; ++t) {
      __m512 bound = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[t][v]), scale);
      bound = _mm512_fmadd_ps(lead, _mm512_set1_ps(job.query_lead[i + t]), bound);
      bound = _mm512_fmadd_ps(slack, _mm512_set1_ps(job.query_slack[i + t]), bound);
      if constexpr (kBlocks) largest[t] = _mm512_max_ps(bound, largest[t]);  // of NaN and a number the number
      __m512 least = _mm512_set1_ps(job.threshold[i + t]);
      if constexpr (kTwoSided)
        least = _mm512_min_ps(
            least, _mm512_mul_ps(_mm512_loadu_ps(job.row_threshold + row), _mm512_set1_ps(job.query_factor[i + t])));
      const __mmask16 mask = _mm512_cmp_ps_mask(bound, least, _CMP_GE_OQ);
      if (mask != 0) [[unlikely]] {
        alignas(64) float bounds[16];
        _mm512_store_ps(bounds, bound);
        record_candidates(job, i + t, row, bounds, mask);
      }
    }
  }
  if constexpr (kBlocks)
    for (std::size_t t = 0; t < kTileQueries; ++t)
      job.block_bounds[(i + t) * job.block_stride + p] = _mm512_reduce_max_ps(largest[t]);
}

template <bool kTwoSided, bool kBlocks>
void filter_all(const FilterJob& job) {
  const std::size_t panel_bytes = kPanelRows * 4 * job.groups;
  for (std::size_t p = 0; p < job.panels; ++p) {
    // While a panel is at work, each tile asks for its share of the next one.
    const std::int8_t* next = job.rows + (p + 1) * panel_bytes;
    const std::int8_t* const end = p + 1 < job.panels ? next + panel_bytes : next;
    const std::size_t share = (panel_bytes / (job.query_count / kTileQueries) + 63) / 64 * 64;
    for (std::size_t i = 0; i < job.query_count; i += kTileQueries) {
      screen_tile<kTwoSided, kBlocks>(job, i, p);
      for (const std::int8_t* stop = next + share; next < stop && next < end; next += 64)
        _mm_prefetch(reinterpret_cast<const char*>(next), _MM_HINT_T1);
    }
  }
}

void filter(const FilterJob& job) {
  if (job.row_threshold != nullptr) return filter_all<true, false>(job);
  job.block_bounds == nullptr ? filter_all<false, false>(job) : filter_all<false, true>(job);
}

}  // namespace

extern const EncodeKernel kEncodeAvx512;
const EncodeKernel kEncodeAvx512 = kEncodeLoops;

extern const ScoreKernel kScoreAvx512;
const ScoreKernel kScoreAvx512 = {
    .exact_score = exact_score, .select_not_below = select_not_below, .move_levels = move_levels};

extern const FilterKernel kFilterAvx512Vnni;
const FilterKernel kFilterAvx512Vnni = {.filter = filter,
                                        .levels = 127,
                                        .query_offset = 128,
                                        .dimension_multiple = 4,
                                        .query_multiple = kTileQueries,
                                        .most_span_groups = 0,
                                        .block_rows = kPanelRows,
                                        .least_staged_rows = SIZE_MAX};

}  // namespace wordbridge
#endif
