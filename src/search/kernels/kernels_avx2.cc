// Kernels for AVX2 with FMA.
#if defined(__AVX2__)
#include <immintrin.h>

#include "search/kernels/kernels.h"

namespace wordbridge {

namespace {

#include "search/kernels/encode_loops.inc"
#include "search/kernels/level_loops.inc"

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

constexpr std::size_t kTileQueries = 6;
constexpr std::size_t kTileVectors = 2;  // of 8 rows: a quarter of a panel
constexpr std::size_t kTileRows = 8 * kTileVectors;
/// Tiles of queries whose spans are worked off together, between two checks.
constexpr std::size_t kTilesTogether = 4;

/// The sums of 16 bits of a tile over a span. 12 sums, two vectors of rows, a query's codes and a product fill the 16
/// registers, which no compiler at hand manages without spilling some of them in every turn, at twice the time; so the
/// loop is written out. The second product of a query takes the register of its codes.
inline __attribute__((always_inline)) void sum_span(const std::uint8_t* const* queries, std::size_t first,
                                                    const std::int8_t* rows, std::size_t groups,
                                                    const std::int32_t* correction,
                                                    __m256i (&sums)[kTileQueries][kTileVectors]) {
  // clang-format off
#define WORDBRIDGE_ADD_QUERY(query, sum0, sum1)                \
  "vpbroadcastd (%[" query "],%[at]), %[codes]\n\t"            \
  "vpmaddubsw %[rows0], %[codes], %[product]\n\t"              \
  "vpaddw %[product], %[" sum0 "], %[" sum0 "]\n\t"            \
  "vpmaddubsw %[rows1], %[codes], %[codes]\n\t"                \
  "vpaddw %[codes], %[" sum1 "], %[" sum1 "]\n\t"
  std::size_t at = 4 * first, end = at + 4 * groups;  // bytes of each query
  __m256i rows0, rows1, codes, product;
  asm("vmovdqu (%[correction]), %[s00]\n\t"
      "vmovdqu 32(%[correction]), %[s01]\n\t"
      "vmovdqa %[s00], %[s10]\n\t"
      "vmovdqa %[s01], %[s11]\n\t"
      "vmovdqa %[s00], %[s20]\n\t"
      "vmovdqa %[s01], %[s21]\n\t"
      "vmovdqa %[s00], %[s30]\n\t"
      "vmovdqa %[s01], %[s31]\n\t"
      "vmovdqa %[s00], %[s40]\n\t"
      "vmovdqa %[s01], %[s41]\n\t"
      "vmovdqa %[s00], %[s50]\n\t"
      "vmovdqa %[s01], %[s51]\n\t"
      ".p2align 5\n"
      "1:\n\t"
      "vmovdqu (%[rows]), %[rows0]\n\t"
      "vmovdqu 32(%[rows]), %[rows1]\n\t"
      WORDBRIDGE_ADD_QUERY("query0", "s00", "s01")
      WORDBRIDGE_ADD_QUERY("query1", "s10", "s11")
      WORDBRIDGE_ADD_QUERY("query2", "s20", "s21")
      WORDBRIDGE_ADD_QUERY("query3", "s30", "s31")
      WORDBRIDGE_ADD_QUERY("query4", "s40", "s41")
      WORDBRIDGE_ADD_QUERY("query5", "s50", "s51")
      "add $4, %[at]\n\t"
      "add %[row_step], %[rows]\n\t"
      "cmp %[end], %[at]\n\t"
      "jne 1b\n\t"
      : [s00] "=&x"(sums[0][0]), [s01] "=&x"(sums[0][1]), [s10] "=&x"(sums[1][0]), [s11] "=&x"(sums[1][1]),
        [s20] "=&x"(sums[2][0]), [s21] "=&x"(sums[2][1]), [s30] "=&x"(sums[3][0]), [s31] "=&x"(sums[3][1]),
        [s40] "=&x"(sums[4][0]), [s41] "=&x"(sums[4][1]), [s50] "=&x"(sums[5][0]), [s51] "=&x"(sums[5][1]),
        [rows0] "=&x"(rows0), [rows1] "=&x"(rows1), [codes] "=&x"(codes), [product] "=&x"(product),
        [at] "+r"(at), [rows] "+r"(rows)
      : [query0] "r"(queries[0]), [query1] "r"(queries[1]), [query2] "r"(queries[2]), [query3] "r"(queries[3]),
        [query4] "r"(queries[4]), [query5] "r"(queries[5]), [end] "r"(end), [correction] "r"(correction),
        [row_step] "i"(4 * kPanelRows)
      : "cc", "memory");
#undef WORDBRIDGE_ADD_QUERY
  // clang-format on
}

/// The least bounds of candidates of query i or of the 8 rows from `row` on.
template <bool kTwoSided>
inline __attribute__((always_inline)) __m256 least(const FilterJob& job, std::size_t i, std::size_t row) {
  const __m256 threshold = _mm256_set1_ps(job.threshold[i]);
  if constexpr (!kTwoSided) return threshold;
  return _mm256_min_ps(threshold,
                       _mm256_mul_ps(_mm256_loadu_ps(job.row_threshold + row), _mm256_set1_ps(job.query_factor[i])));
}

/// kTileQueries queries from query i on against kTileRows rows from row `first` on, which are in `panel` at `offset`.
struct Tile {
  std::size_t i, panel, offset;

  std::size_t first() const { return panel * kPanelRows + offset; }
};
using Totals = __m256i[kTileQueries][kTileVectors];

/// Adds the sums of spans [begin, end) to the totals of a tile.
inline __attribute__((always_inline)) void add_spans(const FilterJob& job, const Tile& tile, std::size_t begin,
                                                     std::size_t end, Totals& totals) {
  const std::size_t stride = 4 * job.groups, spans = (job.groups + job.span_groups - 1) / job.span_groups;
  const std::uint8_t* const* queries = job.queries + tile.i;
  const std::int8_t* rows = job.rows + tile.panel * kPanelRows * stride + 4 * tile.offset;
  const std::int32_t* correction = job.row_correction + tile.panel * spans * kPanelRows + tile.offset;
  for (std::size_t span = begin; span < end; ++span) {
    const std::size_t start = span * job.span_groups;
    const std::size_t groups = job.groups - start < job.span_groups ? job.groups - start : job.span_groups;
    Totals sums;
    sum_span(queries, start, rows + start * 4 * kPanelRows, groups, correction + span * kPanelRows, sums);
    const __m256i weight = _mm256_set1_epi16(job.span_weight[span]);
#pragma GCC unroll 6
    for (std::size_t t = 0; t < kTileQueries; ++t)
#pragma GCC unroll 2
      for (std::size_t v = 0; v < kTileVectors; ++v)
        totals[t][v] = _mm256_add_epi32(totals[t][v], _mm256_madd_epi16(sums[t][v], weight));
  }
}

/// Whether some pair of a tile may be a candidate, by its sums so far and the norms of what is left at a check.
inline __attribute__((always_inline)) bool may_be_candidates(const FilterJob& job, const Tile& tile, std::size_t check,
                                                             const Totals& totals) {
  const std::size_t first = tile.first();
  const float* row_tail = job.row_tail + (tile.panel * job.checks + check) * kPanelRows + tile.offset;
  const float* query_tail = job.query_tail + tile.i * job.checks + check;
  __m256 any = _mm256_setzero_ps();
#pragma GCC unroll 2
  for (std::size_t v = 0; v < kTileVectors; ++v) {
    const __m256 scale = _mm256_loadu_ps(job.row_scale + first + 8 * v);
    const __m256 lead = _mm256_loadu_ps(job.row_lead + first + 8 * v);
    const __m256 slack = _mm256_loadu_ps(job.row_slack + first + 8 * v), tail = _mm256_loadu_ps(row_tail + 8 * v);
#pragma GCC unroll 6
    for (std::size_t t = 0; t < kTileQueries; ++t) {
      __m256 bound = _mm256_mul_ps(_mm256_cvtepi32_ps(totals[t][v]), scale);
      bound = _mm256_fmadd_ps(lead, _mm256_set1_ps(job.query_lead[tile.i + t]), bound);
      bound = _mm256_fmadd_ps(slack, _mm256_set1_ps(job.query_slack[tile.i + t]), bound);
      bound = _mm256_fmadd_ps(tail, _mm256_set1_ps(query_tail[t * job.checks]), bound);
      any = _mm256_or_ps(any, _mm256_cmp_ps(bound, least<false>(job, tile.i + t, first + 8 * v), _CMP_GE_OQ));
    }
  }
  return _mm256_testz_ps(any, any) == 0;
}

/// The largest of 8 numbers; of NaN and a number the second.
inline __attribute__((always_inline)) float largest(__m256 values) {
  values = _mm256_max_ps(values, _mm256_permute2f128_ps(values, values, 1));
  values = _mm256_max_ps(values, _mm256_shuffle_ps(values, values, 0x4E));
  return _mm256_cvtss_f32(_mm256_max_ps(values, _mm256_shuffle_ps(values, values, 0xB1)));
}

/// Records the candidates of a tile whose totals are complete.
template <bool kTwoSided>
inline __attribute__((always_inline)) void compare(const FilterJob& job, const Tile& tile, const Totals& totals) {
  const std::size_t i = tile.i, first = tile.first();
  __m256 scale[kTileVectors], lead[kTileVectors], slack[kTileVectors], bounds[kTileQueries][kTileVectors];
#pragma GCC unroll 2
  for (std::size_t v = 0; v < kTileVectors; ++v) {
    scale[v] = _mm256_loadu_ps(job.row_scale + first + 8 * v);
    lead[v] = _mm256_loadu_ps(job.row_lead + first + 8 * v);
    slack[v] = _mm256_loadu_ps(job.row_slack + first + 8 * v);
  }
  // Most tiles have no candidate at all.
  __m256 any = _mm256_setzero_ps();
#pragma GCC unroll 6
  for (std::size_t t = 0; t < kTileQueries; ++t) {
    const __m256 query_lead = _mm256_set1_ps(job.query_lead[i + t]);
    const __m256 query_slack = _mm256_set1_ps(job.query_slack[i + t]);
#pragma GCC unroll 2
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      __m256 bound = _mm256_mul_ps(_mm256_cvtepi32_ps(totals[t][v]), scale[v]);
      bound = _mm256_fmadd_ps(lead[v], query_lead, bound);
      bound = bounds[t][v] = _mm256_fmadd_ps(slack[v], query_slack, bound);
      any = _mm256_or_ps(any, _mm256_cmp_ps(bound, least<kTwoSided>(job, i + t, first + 8 * v), _CMP_GE_OQ));
    }
  }
  if (job.block_bounds != nullptr) {
    const std::size_t in_panel = job.block_end - job.block_begin;
    float* block = job.block_bounds + tile.panel * in_panel + tile.offset / kTileRows - job.block_begin;
    for (std::size_t t = 0; t < kTileQueries; ++t) {
      const __m256 one = _mm256_max_ps(bounds[t][0], _mm256_set1_ps(-__builtin_inff()));  // no NaN
      block[(i + t) * job.block_stride] = largest(_mm256_max_ps(bounds[t][1], one));
    }
  }
  if (_mm256_testz_ps(any, any)) [[likely]]
    return;
  for (std::size_t t = 0; t < kTileQueries; ++t)
    for (std::size_t v = 0; v < kTileVectors; ++v) {
      const __m256 passed = _mm256_cmp_ps(bounds[t][v], least<kTwoSided>(job, i + t, first + 8 * v), _CMP_GE_OQ);
      if (_mm256_testz_ps(passed, passed)) continue;
      float values[8];
      _mm256_storeu_ps(values, bounds[t][v]);
      record_candidates(job, i + t, first + 8 * v, values, static_cast<unsigned>(_mm256_movemask_ps(passed)));
    }
}

/// Some tiles of a panel: all begin, and those that a check does not end go on. What is left is copied to the front of
/// the list whether it is kept or not, because a branch would be guessed wrong too often.
template <bool kTwoSided>
void filter_tiles(const FilterJob& job, std::size_t begin, std::size_t end, std::size_t panel) {
  struct Open {
    Totals totals;
    Tile tile;
  };
  constexpr std::size_t kMost = kTilesTogether * (kPanelRows / kTileRows);
  Open open[kMost];
  const std::size_t spans = (job.groups + job.span_groups - 1) / job.span_groups;
  std::size_t check = job.first_check, done = spans - job.checks + check, left = 0;
  if (check == job.checks) done = spans;
  for (std::size_t i = begin; i < end; i += kTileQueries)
    for (std::size_t offset = job.block_begin * kTileRows; offset < job.block_end * kTileRows; offset += kTileRows) {
      const Tile tile{i, panel, offset};
      Totals totals = {};
      add_spans(job, tile, 0, done, totals);
      if (done == spans) {
        compare<kTwoSided>(job, tile, totals);
        continue;
      }
      open[left].tile = tile;
      __builtin_memcpy(&open[left].totals, &totals, sizeof totals);
      left += may_be_candidates(job, tile, check, totals);
    }
  if (done == spans) return;
  job.terminated[check] += ((end - begin) / kTileQueries * (kPanelRows / kTileRows) - left) * kTileQueries * kTileRows;
  for (++done, ++check; done < spans; ++done, ++check) {
    const std::size_t count = left;
    left = 0;
    for (std::size_t o = 0; o < count; ++o) {
      const Tile tile = open[o].tile;
      Totals totals;
      __builtin_memcpy(&totals, &open[o].totals, sizeof totals);
      add_spans(job, tile, done - 1, done, totals);
      open[left].tile = tile;
      __builtin_memcpy(&open[left].totals, &totals, sizeof totals);
      left += may_be_candidates(job, tile, check, totals);
    }
    job.terminated[check] += (count - left) * kTileQueries * kTileRows;
  }
  for (std::size_t o = 0; o < left; ++o) {
    Totals totals;
    __builtin_memcpy(&totals, &open[o].totals, sizeof totals);
    add_spans(job, open[o].tile, spans - 1, spans, totals);
    compare<kTwoSided>(job, open[o].tile, totals);
  }
}

template <bool kTwoSided>
void filter_all(const FilterJob& job) {
  constexpr std::size_t kTogether = kTilesTogether * kTileQueries;
  const std::size_t panel_bytes = kPanelRows * 4 * job.groups;
  for (std::size_t panel = 0; panel < job.panels; ++panel) {
    // While a panel is at work, each few tiles ask for their share of the next one.
    const std::int8_t* next = job.rows + (panel + 1) * panel_bytes;
    const std::int8_t* const stop = panel + 1 < job.panels ? next + panel_bytes : next;
    const std::size_t share = (panel_bytes / (job.query_count / kTogether + 1) + 63) / 64 * 64;
    for (std::size_t i = 0; i < job.query_count; i += kTogether) {
      filter_tiles<kTwoSided>(job, i, i + kTogether < job.query_count ? i + kTogether : job.query_count, panel);
      for (const std::int8_t* end = next + share; next < end && next < stop; next += 64)
        _mm_prefetch(reinterpret_cast<const char*>(next), _MM_HINT_T1);
    }
  }
}

void filter(const FilterJob& job) { job.row_threshold == nullptr ? filter_all<false>(job) : filter_all<true>(job); }

}  // namespace

extern const EncodeKernel kEncodeAvx2;
const EncodeKernel kEncodeAvx2 = kEncodeLoops;

extern const ScoreKernel kScoreAvx2;
const ScoreKernel kScoreAvx2 = {
    .exact_score = exact_score, .select_not_below = select_not_below, .move_levels = move_levels};

// Spans of 100 dimensions, 50 a half: there kMostSpanNorm allows about the same codes as the levels do. Longer ones
// cost fewer additions, but force coarser codes, and looser bounds cost more than that. |code| <= 90 keeps the sum of
// two products below 2 * 180 * 90 = 32,400, where the multiplication would saturate.
extern const FilterKernel kFilterAvx2;
const FilterKernel kFilterAvx2 = {.filter = filter,
                                  .levels = 90,
                                  .query_offset = 90,
                                  .dimension_multiple = 4,
                                  .query_multiple = kTileQueries,
                                  .most_span_groups = 25,
                                  .block_rows = kTileRows,
                                  .least_staged_rows = 8192};

}  // namespace wordbridge
#endif
