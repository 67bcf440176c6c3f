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

constexpr std::size_t kTileQueries = 3;
constexpr std::size_t kTileVectors = 4;  // of 8 rows: half a panel

/// Adds the products of a span to 16-bit sums. 12 sums, a query's codes and a product fill 14 of the 16 registers; the
/// rows come from memory as operands of the multiplication, which costs no instruction of its own. The empty asm keeps
/// the compiler from loading them once for all queries, for which registers are lacking.
inline __attribute__((always_inline)) void add_span(const std::uint8_t* query, std::size_t stride,
                                                    const std::int8_t* rows, std::size_t groups,
                                                    __m256i (&sums)[kTileQueries][kTileVectors]) {
  for (std::size_t g = 0; g < groups; ++g, query += 4, rows += 4 * kPanelRows) {
#pragma GCC unroll 3
    for (std::size_t t = 0; t < kTileQueries; ++t) {
      int four;
      __builtin_memcpy(&four, query + t * stride, 4);
      const __m256i codes = _mm256_set1_epi32(four);
      asm("" : "+r"(rows));
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kTileVectors; ++v)
        sums[t][v] = _mm256_add_epi16(
            sums[t][v],
            _mm256_maddubs_epi16(codes, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows + 32 * v))));
    }
  }
}

/// kTileQueries queries from query i on against 32 rows from `first` on.
template <bool kTwoSided>
void screen_tile(const ScreenJob& job, std::size_t i, std::size_t panel, std::size_t half) {
  const std::size_t stride = 4 * job.groups, spans = (job.groups + job.span_groups - 1) / job.span_groups;
  const std::size_t first = panel * kPanelRows + half * 32;
  const std::uint8_t* query = job.queries + i * stride;
  const std::int8_t* rows = job.rows + panel * kPanelRows * stride + half * 128;
  const std::int32_t* correction = job.row_correction + panel * spans * kPanelRows + half * 32;
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i totals[kTileQueries][kTileVectors] = {};
  for (std::size_t start = 0; start < job.groups; start += job.span_groups, correction += kPanelRows) {
    __m256i sums[kTileQueries][kTileVectors];
#pragma GCC unroll 3
    for (std::size_t t = 0; t < kTileQueries; ++t)
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kTileVectors; ++v)
        sums[t][v] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(correction + 8 * v));
    const std::size_t groups = job.groups - start < job.span_groups ? job.groups - start : job.span_groups;
    add_span(query + 4 * start, stride, rows + start * 4 * kPanelRows, groups, sums);
#pragma GCC unroll 3
    for (std::size_t t = 0; t < kTileQueries; ++t)
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kTileVectors; ++v)
        totals[t][v] = _mm256_add_epi32(totals[t][v], _mm256_madd_epi16(sums[t][v], ones));
  }
#pragma GCC unroll 4
  for (std::size_t v = 0; v < kTileVectors; ++v) {
    const std::size_t row = first + 8 * v;
    const __m256 scale = _mm256_loadu_ps(job.row_scale + row), lead = _mm256_loadu_ps(job.row_lead + row);
    const __m256 slack = _mm256_loadu_ps(job.row_slack + row);
#pragma GCC unroll 3
    for (std::size_t t = 0; t < kTileQueries; ++t) {
      __m256 bound = _mm256_mul_ps(_mm256_cvtepi32_ps(totals[t][v]), scale);
      bound = _mm256_fmadd_ps(lead, _mm256_set1_ps(job.query_lead[i + t]), bound);
      bound = _mm256_fmadd_ps(slack, _mm256_set1_ps(job.query_slack[i + t]), bound);
      __m256 least = _mm256_set1_ps(job.threshold[i + t]);
      if constexpr (kTwoSided)
        least = _mm256_min_ps(
            least, _mm256_mul_ps(_mm256_loadu_ps(job.row_threshold + row), _mm256_set1_ps(job.query_factor[i + t])));
      const __m256 passed = _mm256_cmp_ps(bound, least, _CMP_GE_OQ);
      if (!_mm256_testz_ps(passed, passed)) [[unlikely]] {
        float bounds[8];
        _mm256_storeu_ps(bounds, bound);
        record_hits(job, i + t, row, bounds, static_cast<unsigned>(_mm256_movemask_ps(passed)));
      }
    }
  }
}

template <bool kTwoSided>
void screen_all(const ScreenJob& job) {
  const std::size_t panel_bytes = kPanelRows * 4 * job.groups;
  for (std::size_t panel = 0; panel < job.panels; ++panel) {
    // While a panel is at work, each tile asks for its share of the next one.
    const std::int8_t* next = job.rows + (panel + 1) * panel_bytes;
    const std::int8_t* const end = panel + 1 < job.panels ? next + panel_bytes : next;
    const std::size_t share = (panel_bytes / (job.query_count / kTileQueries) + 63) / 64 * 64;
    for (std::size_t i = 0; i < job.query_count; i += kTileQueries) {
      screen_tile<kTwoSided>(job, i, panel, 0);
      screen_tile<kTwoSided>(job, i, panel, 1);
      for (const std::int8_t* stop = next + share; next < stop && next < end; next += 64)
        _mm_prefetch(reinterpret_cast<const char*>(next), _MM_HINT_T1);
    }
  }
}

void screen(const ScreenJob& job) { job.row_threshold == nullptr ? screen_all<false>(job) : screen_all<true>(job); }

}  // namespace

extern const ScoreKernel kScoreAvx2;
const ScoreKernel kScoreAvx2 = {.exact_score = exact_score, .select_not_below = select_not_below};

// Spans of 100 dimensions, 50 a half: there kMostSpanNorm allows about the same codes as the levels do. Longer ones
// cost fewer additions, but force coarser codes, and looser bounds cost more than that. |code| <= 90 keeps the sum of
// two products below 2 * 180 * 90 = 32,400, where the multiplication would saturate.
extern const ScreenKernel kScreenAvx2;
const ScreenKernel kScreenAvx2 = {.screen = screen,
                                  .levels = 90,
                                  .query_offset = 90,
                                  .dimension_multiple = 4,
                                  .query_multiple = kTileQueries,
                                  .most_span_groups = 25};

}  // namespace wordbridge
#endif
