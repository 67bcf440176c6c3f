// The int8 filter for AMX, which multiplies tiles of 16 x 64 codes.
#if defined(__AMX_INT8__) || defined(__AMXINT8__)  // the second in clang up to 15
// GCC's own header leaves registers undefined on purpose.
#pragma GCC diagnostic ignored "-Wuninitialized"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "search/kernels/kernels.h"

namespace wordbridge {

namespace {

constexpr std::size_t kTileQueries = 32;
constexpr std::size_t kTileRows = 32;

/// Tiles 0 to 3 hold sums (16 queries x 16 rows of 32 bits), 4 and 5 codes of 16 queries (64 dimensions each), 6 and 7
/// codes of 16 rows (16 groups x 16 rows x 4).
struct alignas(64) TileConfiguration {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

/// 32 queries x 32 rows: where they begin, the sums of their products, and for each query the rows that pass.
struct Tile {
  alignas(64) std::int32_t sums[kTileQueries * kTileRows];
  alignas(64) std::uint32_t candidates[kTileQueries];
  std::size_t query, row;
};

/// The part of a job that a comparison needs, in registers.
struct Bounds {
  __m512 scale[2], lead[2], slack[2], threshold[2];

  Bounds(const FilterJob& job, std::size_t row) {
    for (std::size_t v = 0; v < 2; ++v) {
      scale[v] = _mm512_loadu_ps(job.row_scale + row + 16 * v);
      lead[v] = _mm512_loadu_ps(job.row_lead + row + 16 * v);
      slack[v] = _mm512_loadu_ps(job.row_slack + row + 16 * v);
      if (job.row_threshold != nullptr) threshold[v] = _mm512_loadu_ps(job.row_threshold + row + 16 * v);
    }
  }
  __m512 bound(const std::int32_t* sums, std::size_t v, __m512 query_lead, __m512 query_slack) const {
    const __m512 products = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_load_si512(sums + 16 * v)), scale[v]);
    return _mm512_fmadd_ps(slack[v], query_slack, _mm512_fmadd_ps(lead[v], query_lead, products));
  }
};

/// Finds the candidates of the queries [begin, end) of a tile, whose sums are complete. Returns the union of their
/// rows.
template <bool kTwoSided>
inline __attribute__((always_inline)) __mmask32 compare(const FilterJob& job, const Bounds& rows, Tile& tile,
                                                        std::size_t begin, std::size_t end) {
  const float *lead = job.query_lead + tile.query, *slack = job.query_slack + tile.query;
  const float* threshold = job.threshold + tile.query;
  __mmask32 any = 0;
  for (std::size_t t = begin; t < end; ++t) {
    const __m512 query_lead = _mm512_set1_ps(lead[t]), query_slack = _mm512_set1_ps(slack[t]);
    __m512 least0 = _mm512_set1_ps(threshold[t]), least1 = least0;
    if constexpr (kTwoSided) {
      const __m512 factor = _mm512_set1_ps(job.query_factor[tile.query + t]);
      least0 = _mm512_min_ps(least0, _mm512_mul_ps(rows.threshold[0], factor));
      least1 = _mm512_min_ps(least1, _mm512_mul_ps(rows.threshold[1], factor));
    }
    const std::int32_t* sums = tile.sums + t * kTileRows;
    const __mmask16 low = _mm512_cmp_ps_mask(rows.bound(sums, 0, query_lead, query_slack), least0, _CMP_GE_OQ);
    const __mmask16 high = _mm512_cmp_ps_mask(rows.bound(sums, 1, query_lead, query_slack), least1, _CMP_GE_OQ);
    const __mmask32 both = _mm512_kunpackw(high, low);
    tile.candidates[t] = both;
    any = _kor_mask32(any, both);
  }
  return any;
}

/// Writes the sums of `tile`, and in the shadow of its products finds the candidates of the tile before: true if there
/// are any.
template <bool kTwoSided>
bool multiply(const FilterJob& job, Tile& tile, Tile& before) {
  const std::size_t stride = 4 * job.groups, steps = job.groups / 16, share = (kTileQueries + steps - 1) / steps;
  const std::uint8_t* queries = job.queries[tile.query];
  const std::int8_t* rows = job.rows + tile.row / kPanelRows * kPanelRows * stride + tile.row % kPanelRows * 4;
  const Bounds bounds(job, before.row);
  __mmask32 any = 0;
  std::size_t compared = 0;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (std::size_t step = 0; step < steps; ++step, queries += 64, rows += 16 * 4 * kPanelRows) {
    _tile_loadd(4, queries, stride);
    _tile_loadd(6, rows, 4 * kPanelRows);
    _tile_loadd(7, rows + 64, 4 * kPanelRows);
    _tile_dpbssd(0, 4, 6);
    _tile_dpbssd(1, 4, 7);
    _tile_loadd(5, queries + 16 * stride, stride);
    _tile_dpbssd(2, 5, 6);
    _tile_dpbssd(3, 5, 7);
    const std::size_t end = compared + share < kTileQueries ? compared + share : kTileQueries;
    any = _kor_mask32(any, compare<kTwoSided>(job, bounds, before, compared, end));
    compared = end;
  }
  constexpr std::size_t kRowBytes = kTileRows * sizeof(std::int32_t);
  _tile_stored(0, tile.sums, kRowBytes);
  _tile_stored(1, tile.sums + 16, kRowBytes);
  _tile_stored(2, tile.sums + 16 * kTileRows, kRowBytes);
  _tile_stored(3, tile.sums + 16 * kTileRows + 16, kRowBytes);
  return any != 0;
}

/// Records the candidates of a tile.
__attribute__((noinline)) void record(const FilterJob& job, const Tile& tile) {
  const __m512i passed0 = _mm512_load_si512(tile.candidates), passed1 = _mm512_load_si512(tile.candidates + 16);
  unsigned queries = static_cast<unsigned>(_mm512_test_epi32_mask(passed0, passed0)) |
                     static_cast<unsigned>(_mm512_test_epi32_mask(passed1, passed1)) << 16;
  const Bounds rows(job, tile.row);
  for (; queries != 0; queries &= queries - 1) {
    const unsigned t = static_cast<unsigned>(__builtin_ctz(queries));
    const std::size_t i = tile.query + t;
    const __m512 lead = _mm512_set1_ps(job.query_lead[i]), slack = _mm512_set1_ps(job.query_slack[i]);
    alignas(64) float bounds[kTileRows];
    _mm512_store_ps(bounds, rows.bound(tile.sums + t * kTileRows, 0, lead, slack));
    _mm512_store_ps(bounds + 16, rows.bound(tile.sums + t * kTileRows, 1, lead, slack));
    record_candidates(job, i, tile.row, bounds, tile.candidates[t]);
  }
}

template <bool kTwoSided>
void filter_all(const FilterJob& job) {
  static constexpr TileConfiguration kConfiguration;
  const std::size_t panel_bytes = kPanelRows * 4 * job.groups;
  // Each tile asks for its share of the codes of the next panel.
  const std::size_t share = (panel_bytes / (2 * job.query_count / kTileQueries) + 63) / 64 * 64;
  Tile tiles[2];
  _tile_loadconfig(&kConfiguration);
  std::size_t done = 0;
  for (std::size_t panel = 0; panel < job.panels; ++panel) {
    const std::int8_t* next = job.rows + (panel + 1) * panel_bytes;
    const std::int8_t* const end = panel + 1 < job.panels ? next + panel_bytes : next;
    for (std::size_t i = 0; i < job.query_count; i += kTileQueries)
      for (std::size_t half = 0; half < kPanelRows; half += kTileRows, ++done) {
        Tile &tile = tiles[done % 2], &before = tiles[(done + 1) % 2];
        if (done == 0) __builtin_memset(&before, 0, sizeof before);
        tile.query = i;
        tile.row = panel * kPanelRows + half;
        const bool candidate = multiply<kTwoSided>(job, tile, before);
        if (candidate && done > 0) record(job, before);
        for (const std::int8_t* stop = next + share; next < stop && next < end; next += 64)
          _mm_prefetch(reinterpret_cast<const char*>(next), _MM_HINT_T1);
      }
  }
  _tile_release();
  Tile& last = tiles[(done + 1) % 2];
  const Bounds bounds(job, last.row);
  if (compare<kTwoSided>(job, bounds, last, 0, kTileQueries) != 0) record(job, last);
}

void filter(const FilterJob& job) {
  if (job.panels == 0 || job.query_count == 0) return;
  job.row_threshold == nullptr ? filter_all<false>(job) : filter_all<true>(job);
}

}  // namespace

extern const FilterKernel kFilterAmx;
const FilterKernel kFilterAmx = {.filter = filter,
                                 .levels = 127,
                                 .query_offset = 0,
                                 .dimension_multiple = 64,
                                 .query_multiple = kTileQueries,
                                 .most_span_groups = 0,
                                 .block_rows = 0,
                                 .least_staged_rows = SIZE_MAX};

}  // namespace wordbridge
#endif
