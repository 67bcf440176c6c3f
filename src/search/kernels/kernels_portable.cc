// Kernels in plain C++, for any machine.
#include "search/kernels/kernels.h"

namespace wordbridge {

namespace {

#include "search/kernels/encode_loops.inc"
#include "search/kernels/level_loops.inc"

constexpr std::size_t kLanes = 16;

float exact_score(const float* a, const float* b, std::size_t dimension) {
  double lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= dimension; i += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += static_cast<double>(a[i + l]) * static_cast<double>(b[i + l]);
  for (std::size_t l = 0; i + l < dimension; ++l)
    lanes[l] += static_cast<double>(a[i + l]) * static_cast<double>(b[i + l]);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  return static_cast<float>(lanes[0]) + 0.0f;
}

std::size_t select_not_below(const float* scores, std::size_t count, float threshold, std::uint32_t* passed) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    passed[found] = static_cast<std::uint32_t>(i);
    found += !(scores[i] < threshold);
  }
  return found;
}

/// The code that a byte of two's complement holds.
std::int16_t signed_code(std::uint8_t byte) { return static_cast<std::int16_t>(byte < 128 ? byte : byte - 256); }

/// The codes of one query times those of the rows of a panel.
void multiply_panel(const std::uint8_t* query, const std::int8_t* rows, std::size_t groups, std::int32_t* sums) {
  for (std::size_t j = 0; j < kPanelRows; ++j) sums[j] = 0;
  for (std::size_t g = 0; g < groups; ++g, query += 4, rows += 4 * kPanelRows) {
    // Factors of 16 bits let compilers use their multiply-add of pairs.
    const std::int16_t q0 = signed_code(query[0]), q1 = signed_code(query[1]);
    const std::int16_t q2 = signed_code(query[2]), q3 = signed_code(query[3]);
    for (std::size_t j = 0; j < kPanelRows; ++j)
      sums[j] += q0 * rows[4 * j] + q1 * rows[4 * j + 1] + q2 * rows[4 * j + 2] + q3 * rows[4 * j + 3];
  }
}

void filter(const FilterJob& job) {
  std::int32_t sums[kPanelRows];
  float bounds[kPanelRows];
  for (std::size_t p = 0; p < job.panels; ++p) {
    const std::size_t first = p * kPanelRows;
    for (std::size_t i = 0; i < job.query_count; ++i) {
      multiply_panel(job.queries[i], job.rows + first * 4 * job.groups, job.groups, sums);
      std::uint64_t mask = 0;
      float largest = -__builtin_inff();
      for (std::size_t j = 0; j < kPanelRows; ++j) {
        bounds[j] = static_cast<float>(sums[j]) * job.row_scale[first + j];
        bounds[j] += job.row_lead[first + j] * job.query_lead[i];
        bounds[j] += job.row_slack[first + j] * job.query_slack[i];
        largest = bounds[j] > largest ? bounds[j] : largest;
        bool candidate = bounds[j] >= job.threshold[i];
        if (job.row_threshold != nullptr) candidate |= bounds[j] >= job.row_threshold[first + j] * job.query_factor[i];
        mask |= static_cast<std::uint64_t>(candidate) << j;
      }
      if (mask != 0) record_candidates(job, i, first, bounds, mask);
      if (job.block_bounds != nullptr) job.block_bounds[i * job.block_stride + p] = largest;
    }
  }
}

}  // namespace

void record_candidates(const FilterJob& job, std::size_t i, std::size_t first, const float* bounds,
                       std::uint64_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::size_t>(__builtin_ctzll(mask));
    const auto row = job.first_row + static_cast<std::uint32_t>(first + lane);
    if (bounds[lane] >= job.threshold[i]) job.candidates[i][job.candidate_count[i]++] = {bounds[lane], row};
    if (job.row_threshold != nullptr && bounds[lane] >= job.row_threshold[first + lane] * job.query_factor[i])
      job.pair_candidates[(*job.pair_count)++] = {bounds[lane], row, static_cast<std::uint32_t>(i)};
  }
}

extern const EncodeKernel kEncodePortable;
const EncodeKernel kEncodePortable = kEncodeLoops;

extern const ScoreKernel kScorePortable;
const ScoreKernel kScorePortable = {
    .exact_score = exact_score, .select_not_below = select_not_below, .move_levels = move_levels};

extern const FilterKernel kFilterPortable;
const FilterKernel kFilterPortable = {.filter = filter,
                                      .levels = 127,
                                      .query_offset = 0,
                                      .dimension_multiple = 4,
                                      .query_multiple = 1,
                                      .most_span_groups = 0,
                                      .block_rows = kPanelRows,
                                      .least_staged_rows = SIZE_MAX};

}  // namespace wordbridge
