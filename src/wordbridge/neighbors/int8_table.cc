#include "wordbridge/neighbors/int8_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "wordbridge/neighbors/neighbor_search.h"
#include "wordbridge/neighbors/rounding.h"
#include "wordbridge/parallel/thread_pool.h"

namespace wordbridge {

namespace {

constexpr double kLeadWeight = 0x1.0p6;      // 1 / the weight of |b| in g
constexpr double kOffLeadWeight = 0x1.0p20;  // the weight of |<v, y'>| in g

/// The least and the largest exponent of the rows that are not zero.
std::pair<int, int> exponents(ConstMatrixView rows) {
  int least = std::numeric_limits<int>::max(), most = std::numeric_limits<int>::min();
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto row = rows.row(i);
    if (std::all_of(row.begin(), row.end(), [](float value) { return value == 0; })) continue;
    const int exponent = exponent_of(row.data(), row.size());
    least = std::min(least, exponent);
    most = std::max(most, exponent);
  }
  return most < least ? std::pair(0, 0) : std::pair(least, most);
}

}  // namespace

Int8Table::Int8Table(ConstMatrixView table, const Kernels& kernels)
    : table_(table), kernels_(&kernels), encoder_(table, *kernels.screen), ids_(rows_not_zero(table)) {
  exponent_ = exponents(table).second;
  const std::size_t padded = panels() * kPanelRows;
  codes_ = BasicMatrix<std::int8_t>::uninitialized(padded, encoder_.code_count());
  corrections_.resize(padded * encoder_.spans());
  row_scale_.resize(padded);
  row_lead_.resize(padded);
  row_slack_.resize(padded);
  std::vector<float> residuals(padded);
  ThreadPool::shared().for_chunks(panels(), 16, [&](std::size_t begin, std::size_t end, int) {
    Int8Encoder::Scratch scratch;
    for (std::size_t panel = begin; panel < end; ++panel) encode_panel(panel, residuals, scratch);
  });

  double residual_sum = 0, slack_sum = 0;
  for (std::size_t j = 0; j < rows(); ++j) {
    residual_sum += residuals[j];
    slack_sum += row_slack_[j];
  }
  if (residual_sum > 0 && slack_sum > 0) theta_ = 1.02 * residual_sum / slack_sum;
  for (std::size_t j = 0; j < rows(); ++j)
    row_slack_[j] = std::max(row_slack_[j], float_above(residuals[j] / theta_ * (1 + 0x1.0p-50)));
  for (std::size_t j = rows(); j < padded; ++j) row_slack_[j] = std::numeric_limits<float>::quiet_NaN();
}

void Int8Table::encode_panel(std::size_t panel, std::vector<float>& residuals, Int8Encoder::Scratch& scratch) {
  const std::size_t first = panel * kPanelRows, count = encoder_.code_count();
  std::int8_t* panel_codes = codes_.data() + first * count;
  std::fill_n(panel_codes, kPanelRows * count, std::int8_t{0});
  std::vector<std::int8_t> codes(count);
  std::vector<std::int32_t> corrections(encoder_.spans());
  for (std::size_t r = 0; r < kPanelRows && first + r < rows(); ++r) {
    const Int8Code code = encoder_.encode(table_.row(ids_[first + r]).data(), exponent_, codes.data(), scratch);
    row_scale_[first + r] = code.scale;
    row_lead_[first + r] = code.lead;
    row_slack_[first + r] = float_above(
        std::max({code.rest_norm, code.off_lead * kOffLeadWeight, std::fabs(double{code.lead}) / kLeadWeight}));
    residuals[first + r] = float_above(code.residual);
    for (std::size_t i = 0; i < count; i += 4)
      std::copy_n(codes.data() + i, 4, panel_codes + (i / 4 * kPanelRows + r) * 4);
    encoder_.corrections(codes.data(), corrections.data());
    for (std::size_t span = 0; span < corrections.size(); ++span)
      corrections_[(panel * corrections.size() + span) * kPanelRows + r] = corrections[span];
  }
}

Int8Queries Int8Table::encode(ConstMatrixView queries) const {
  const ScreenKernel& kernel = *kernels_->screen;
  const std::size_t padded =
      (queries.rows() + kernel.query_multiple - 1) / kernel.query_multiple * kernel.query_multiple;
  const std::size_t count = encoder_.code_count();
  Int8Queries result;
  result.count = queries.rows();
  result.codes = BasicMatrix<std::uint8_t>::uninitialized(padded, count);
  std::fill_n(result.codes.data(), padded * count, static_cast<std::uint8_t>(kernel.query_offset));
  result.lead.resize(padded);
  result.slack.assign(padded, std::numeric_limits<float>::quiet_NaN());
  result.unit.resize(padded, 1.0);
  std::vector<std::int8_t> codes(count);
  Int8Encoder::Scratch scratch;
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    const float* query = queries.row(i).data();
    const int exponent = exponent_of(query, queries.cols());
    if (std::all_of(query, query + queries.cols(), [](float value) { return value == 0; })) continue;
    const Int8Code code = encoder_.encode(query, exponent, codes.data(), scratch);
    for (std::size_t j = 0; j < count; ++j)
      result.codes(i, j) = static_cast<std::uint8_t>(codes[j] + kernel.query_offset);

    // The notation of int8_table.h. `lead` is <q, v> in double rounded to float, and A / t is rounded once more.
    constexpr double u = kFloatRoundoff;
    const double t = code.scale == 0 ? 1.0 : double{code.scale}, a = std::fabs(double{code.lead});
    const double norm = a * encoder_.lead_norm() + code.rest_norm;
    const double lead_error = 2.1 * u * a + 0x1.0p-40 * norm;
    double e = theta_ * code.code_norm + code.residual + a / kOffLeadWeight + kLeadWeight * lead_error;
    e += u * (4 * code.code_norm * (1 + theta_) + 3 * kLeadWeight * a);
    e += u * (1 + 0x1.0p-20) * norm * (kLeadWeight * encoder_.lead_norm() + 1);
    result.lead[i] = static_cast<float>(double{code.lead} / t);
    result.slack[i] = float_above(e * (1 + 0x1.0p-20) / t);
    result.unit[i] = std::ldexp(t, exponent + exponent_);
  }
  return result;
}

double Int8Table::unit_for(ConstMatrixView queries) const {
  return std::ldexp(1.0, exponents(queries).second + exponent_);
}

bool Int8Table::unit_fits(ConstMatrixView queries) const {
  const auto [least, most] = exponents(queries);
  return most - least <= 40;
}

ScreenJob Int8Table::job(const Int8Queries& queries, const float* thresholds, std::size_t begin,
                         std::size_t end) const {
  const std::size_t first = begin * kPanelRows;
  ScreenJob job{};
  job.queries = queries.codes.data();
  job.query_count = queries.padded_count();
  job.query_lead = queries.lead.data();
  job.query_slack = queries.slack.data();
  job.threshold = thresholds;
  job.rows = codes_.data() + first * encoder_.code_count();
  job.groups = encoder_.groups();
  job.panels = end - begin;
  job.span_groups = encoder_.span_groups();
  job.row_correction = corrections_.data() + first * encoder_.spans();
  job.row_scale = row_scale_.data() + first;
  job.row_lead = row_lead_.data() + first;
  job.row_slack = row_slack_.data() + first;
  job.first_row = static_cast<std::uint32_t>(first);
  return job;
}

float Int8Queries::threshold_for_score(std::size_t query, float score) const {
  if (score == -std::numeric_limits<float>::infinity()) return score;
  const double threshold = (std::min(double{score}, kLargestScore) - 0x1.0p-149) / unit[query];
  return float_below(threshold - std::fabs(threshold) * 0x1.0p-50);
}

float Int8Queries::threshold_for_bound(std::size_t query, double kth) const {
  const double most = kLargestScore * (1 - 0x1.0p-20) / unit[query];
  const double threshold = std::min(most, kth - 0x1.0p-147 / unit[query]);
  return threshold < -most ? -std::numeric_limits<float>::infinity() : float_below(threshold);
}

}  // namespace wordbridge
