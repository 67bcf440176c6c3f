#include "search/int8/int8_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "search/neighbor_search.h"
#include "search/pruning/clusters.h"
#include "search/rounding.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kStagedGroup = 16;     // rows of a cluster that checks end together
constexpr double kLeadWeight = 0x1.0p6;      // 1 / the weight of |b| in g
constexpr double kOffLeadWeight = 0x1.0p20;  // the weight of |<v, y'>| in g

/// The least and the largest exponent of the rows that are not zero.
std::pair<int, int> exponents(ConstMatrixView rows, const EncodeKernel& kernel) {
  constexpr std::size_t kRowsAtATime = 4096;
  constexpr std::pair kNone(std::numeric_limits<int>::max(), std::numeric_limits<int>::min());
  std::vector<std::pair<int, int>> parts((rows.rows() + kRowsAtATime - 1) / kRowsAtATime, kNone);
  ThreadPool::current().for_chunks(rows.rows(), kRowsAtATime, [&](std::size_t begin, std::size_t end, int) {
    auto& [least, most] = parts[begin / kRowsAtATime];
    for (std::size_t i = begin; i < end; ++i) {
      const float largest = kernel.largest(rows.row(i).data(), rows.cols());
      if (largest == 0) continue;
      least = std::min(least, std::ilogb(largest));
      most = std::max(most, std::ilogb(largest));
    }
  });
  auto [least, most] = kNone;
  for (const auto& part : parts) {
    least = std::min(least, part.first);
    most = std::max(most, part.second);
  }
  return most < least ? std::pair(0, 0) : std::pair(least, most);
}

/// Some rows, each brought to about unit length, along some axes, which may have more coordinates than the rows.
Matrix coordinates_of(ConstMatrixView table, std::span<const std::uint32_t> ids, const Matrix& axes,
                      const EncodeKernel& kernel) {
  constexpr std::size_t kBlock = 512;
  Matrix rows(std::min(kBlock, ids.size()), axes.cols()), result = Matrix::uninitialized(ids.size(), axes.rows());
  for (std::size_t first = 0; first < ids.size(); first += kBlock) {
    Context::poll();
    const std::size_t count = std::min(kBlock, ids.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = table.row(ids[first + i]);
      const double unit = std::ldexp(1.0, -exponent_of(row.data(), row.size(), kernel));
      for (std::size_t j = 0; j < row.size(); ++j) rows(i, j) = static_cast<float>(unit * double{row[j]});
    }
    multiply_abt_into(rows.view().slice(0, count), axes, result.view().slice(first, first + count));
  }
  return result;
}

}  // namespace

struct Int8Table::Made {
  std::vector<std::uint32_t> ids;
  BasicMatrix<std::int8_t> codes;
  std::vector<std::int32_t> corrections;
  std::vector<float> scale, lead, slack, tails, residuals;
};

Int8Table::Int8Table(ConstMatrixView table, const Kernels& kernels, TableLayout layout)
    : table_(table),
      kernels_(&kernels),
      encoder_(table, kernels, layout == TableLayout::staged),
      reordered_(encoder_.staged() || layout == TableLayout::clustered) {
  const auto made = std::make_shared<Made>();
  made->ids = rows_not_zero(table);
  exponent_ = exponents(table, *kernels.encode).second;
  if (encoder_.staged())
    sort_by_cluster(encoder_.leading_axes(), kStagedGroup, made->ids);
  else if (reordered_ && !made->ids.empty())
    sort_by_cluster(leading_axes(encoder_.sample_of(table)), block_rows(), made->ids);
  rows_.ids = made->ids;
  const std::size_t padded = panels() * kPanelRows;
  made->codes = BasicMatrix<std::int8_t>::uninitialized(padded, encoder_.code_count());
  made->corrections.resize(padded * encoder_.spans());
  made->tails.resize(padded * checks());
  for (std::vector<float>* values : {&made->scale, &made->lead, &made->slack, &made->residuals}) values->resize(padded);
  ThreadPool::current().for_chunks(panels(), 16, [&](std::size_t begin, std::size_t end, int) {
    Int8Encoder::Block block(encoder_);
    for (std::size_t panel = begin; panel < end; ++panel) encode_panel(panel, *made, block);
  });

  double residual_sum = 0, slack_sum = 0;
  for (std::size_t j = 0; j < rows(); ++j) {
    residual_sum += made->residuals[j];
    slack_sum += made->slack[j];
  }
  if (residual_sum > 0 && slack_sum > 0) theta_ = 1.02 * residual_sum / slack_sum;
  for (std::size_t j = 0; j < rows(); ++j)
    made->slack[j] = std::max(made->slack[j], float_above(made->residuals[j] / theta_ * (1 + 0x1.0p-50)));
  for (std::size_t j = rows(); j < padded; ++j) made->slack[j] = std::numeric_limits<float>::quiet_NaN();
  made->residuals = {};
  rows_ = {made->ids, made->codes.elements(), made->corrections, made->scale, made->lead, made->slack, made->tails};
  owner_ = made;
}

Int8Table::Int8Table(ConstMatrixView table, const Kernels& kernels, Head head, const Int8Rows& rows,
                     std::shared_ptr<const void> owner, const RowLoader* loader)
    : table_(table),
      kernels_(&kernels),
      encoder_(std::move(head.encoder), kernels),
      reordered_(head.reordered),
      exponent_(head.exponent),
      theta_(head.theta),
      rows_(rows),
      owner_(std::move(owner)),
      loader_(loader) {}

bool Int8Table::fits(const Head& head, const Int8Rows& rows, std::size_t table_rows, std::size_t table_cols,
                     const FilterKernel& kernel) {
  const Int8Encoder::Parts& encoder = head.encoder;
  const std::size_t groups = encoder.code_count / 4, spans = encoder.span_factors.size(), count = rows.ids.size();
  const std::size_t multiple = kernel.dimension_multiple, padded = (count + kPanelRows - 1) / kPanelRows * kPanelRows;
  const bool staged = encoder.axes != nullptr;
  if (encoder.dimension != table_cols || encoder.code_count != (table_cols + multiple - 1) / multiple * multiple ||
      encoder.lead.size() != encoder.code_count || encoder.span_groups == 0 || count > table_rows ||
      spans != (groups + encoder.span_groups - 1) / encoder.span_groups)
    return false;
  if (kernel.most_span_groups != 0 && encoder.span_groups > kernel.most_span_groups) return false;
  if (staged && CodeForm::of(kernel).may_be_staged == 0) return false;
  const auto is_factor = [](double factor) { return factor >= 1 && factor <= 16 && factor == std::floor(factor); };
  if (!std::ranges::all_of(encoder.span_factors, is_factor) || !std::isfinite(head.theta) || !(head.theta > 0) ||
      std::abs(head.exponent) > 200 ||
      !std::ranges::all_of(encoder.lead, [](float value) { return std::fabs(value) <= 2; }))
    return false;
  const std::size_t checks = staged ? spans / 2 : 0;
  return rows.codes.size() == padded * encoder.code_count && rows.corrections.size() == padded * spans &&
         rows.scale.size() == padded && rows.lead.size() == padded && rows.slack.size() == padded &&
         rows.tails.size() == padded * checks &&
         std::ranges::all_of(rows.ids, [&](std::uint32_t id) { return id < table_rows; });
}

CodeForm CodeForm::of(const FilterKernel& kernel) {
  return {kernel.levels, kernel.query_offset, kernel.dimension_multiple, kernel.most_span_groups,
          kernel.least_staged_rows != std::numeric_limits<std::size_t>::max()};
}

/// Orders the rows, so many of a cluster together, within parts of the table, which bounds the memory that it takes, on
/// several threads.
void Int8Table::sort_by_cluster(const Matrix& axes, std::size_t group, std::vector<std::uint32_t>& ids) const {
  constexpr std::size_t kPart = 32'768;
  ThreadPool::current().for_chunks(ids.size(), kPart, [&](std::size_t begin, std::size_t end, int) {
    const std::vector<std::uint32_t> part(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                                          ids.begin() + static_cast<std::ptrdiff_t>(end));
    const Matrix coordinates = coordinates_of(table_, part, axes, *kernels_->encode);
    const std::vector<std::uint32_t> order = cluster_order(coordinates, group);
    for (std::size_t i = 0; i < part.size(); ++i) ids[begin + i] = part[order[i]];
  });
}

std::vector<std::uint32_t> Int8Table::order_of(ConstMatrixView queries) const {
  std::vector<std::uint32_t> all(queries.rows());
  std::iota(all.begin(), all.end(), 0u);
  if (!encoder_.staged()) return all;
  return cluster_order(coordinates_of(queries, all, encoder_.leading_axes(), *kernels_->encode),
                       kernels_->filter->query_multiple);
}

void Int8Table::encode_panel(std::size_t panel, Made& made, Int8Encoder::Block& block) const {
  static_assert(kPanelRows <= Int8Encoder::kMostTogether);
  const std::size_t first = panel * kPanelRows, codes = encoder_.code_count(), spans = encoder_.spans();
  const std::size_t count = std::min(kPanelRows, rows() - first);
  const float* vectors[kPanelRows];
  int exponents[kPanelRows];
  for (std::size_t r = 0; r < count; ++r) vectors[r] = table_.row(made.ids[first + r]).data();
  std::fill_n(exponents, count, exponent_);
  encoder_.encode({vectors, count}, {exponents, count}, encoder_.span_factors(), block);

  std::int8_t* panel_codes = made.codes.data() + first * codes;
  std::fill_n(panel_codes, kPanelRows * codes, std::int8_t{0});
  for (std::size_t r = 0; r < count; ++r) {
    const Int8Code& code = block.vectors[r];
    made.scale[first + r] = code.scale;
    made.lead[first + r] = code.lead;
    made.slack[first + r] = float_above(
        std::max({code.rest_norm, code.off_lead * kOffLeadWeight, std::fabs(double{code.lead}) / kLeadWeight}));
    made.residuals[first + r] = float_above(code.residual);
    for (std::size_t check = 0; check < checks(); ++check)
      made.tails[(panel * checks() + check) * kPanelRows + r] = float_above(block.tails(r, check) * (1 + 0x1.0p-20));
    const std::int8_t* own = block.codes.row(r).data();
    for (std::size_t i = 0; i < codes; i += 4) std::copy_n(own + i, 4, panel_codes + (i / 4 * kPanelRows + r) * 4);
    for (std::size_t span = 0; span < spans; ++span)
      made.corrections[(panel * spans + span) * kPanelRows + r] = block.corrections(r, span);
  }
}

Int8Queries Int8Table::encode(ConstMatrixView queries) const {
  const FilterKernel& kernel = *kernels_->filter;
  const std::size_t padded =
      (queries.rows() + kernel.query_multiple - 1) / kernel.query_multiple * kernel.query_multiple;
  const std::size_t count = encoder_.code_count();
  Int8Queries result;
  result.count = queries.rows();
  result.order = order_of(queries);
  result.codes = BasicMatrix<std::uint8_t>::uninitialized(padded, count);
  std::fill_n(result.codes.data(), padded * count, static_cast<std::uint8_t>(kernel.query_offset));
  result.lead.resize(padded);
  result.slack.assign(padded, std::numeric_limits<float>::quiet_NaN());
  result.unit.resize(padded, 1.0);
  result.tails.resize(padded * checks());
  Int8Encoder::Block block(encoder_);
  std::vector<std::size_t> positions;
  std::vector<const float*> vectors;
  std::vector<int> exponents;
  const auto take = [&](std::size_t position) {
    const auto query = queries.row(result.order[position]);
    if (is_zero(query)) return;
    positions.push_back(position);
    vectors.push_back(query.data());
    exponents.push_back(exponent_of(query.data(), query.size(), *kernels_->encode));
  };
  const auto forget = [&] {
    positions.clear();
    vectors.clear();
    exponents.clear();
  };
  const std::size_t sample = std::min(queries.rows(), Int8Encoder::kMostTogether);
  for (std::size_t i = 0; i < sample && encoder_.staged(); ++i) take(i * queries.rows() / sample);
  const std::vector<double> factors =
      vectors.empty() ? encoder_.span_factors() : encoder_.factors_for(vectors, exponents, block);
  forget();
  for (std::size_t span = 0; span < factors.size(); ++span)
    result.span_weights.push_back(static_cast<std::int16_t>(factors[span] * encoder_.span_factors()[span]));
  const auto encode_block = [&] {
    Context::poll();
    encoder_.encode(vectors, exponents, factors, block);
    for (std::size_t b = 0; b < positions.size(); ++b) set_query(positions[b], block, b, exponents[b], result);
    forget();
  };
  for (std::size_t position = 0; position < queries.rows(); ++position) {
    take(position);
    if (positions.size() == Int8Encoder::kMostTogether) encode_block();
  }
  encode_block();
  for (std::size_t position = 0; position < padded; ++position)
    result.rows.push_back(result.codes.row(position).data());
  return result;
}

/// The query at a position, which is vector b of a block.
void Int8Table::set_query(std::size_t position, const Int8Encoder::Block& block, std::size_t b, int exponent,
                          Int8Queries& result) const {
  const Int8Code& code = block.vectors[b];
  for (std::size_t j = 0; j < encoder_.code_count(); ++j)
    result.codes(position, j) = static_cast<std::uint8_t>(block.codes(b, j) + encoder_.kernel().query_offset);

  // The notation of int8_table.h. `lead` is <q, v> in double rounded to float, and A / t is rounded once more.
  constexpr double u = kFloatRoundoff;
  const double t = code.scale == 0 ? 1.0 : double{code.scale}, a = std::fabs(double{code.lead});
  const double norm = a * encoder_.lead_norm() + code.rest_norm;
  const double lead_error = 2.1 * u * a + 0x1.0p-40 * norm;
  double e = theta_ * code.code_norm + code.residual + a / kOffLeadWeight + kLeadWeight * lead_error;
  e += u * (5 * code.code_norm * (1 + theta_) + 4 * kLeadWeight * a);
  e += u * (1 + 0x1.0p-20) * norm * (kLeadWeight * encoder_.lead_norm() + 1);
  result.lead[position] = static_cast<float>(double{code.lead} / t);
  result.slack[position] = float_above(e * (1 + 0x1.0p-20) / t);
  result.unit[position] = std::ldexp(t, exponent + exponent_);
  for (std::size_t check = 0; check < checks(); ++check)
    result.tails[position * checks() + check] = float_above(block.tails(b, check) * (1 + 0x1.0p-20) / t);
}

double Int8Table::unit_for(ConstMatrixView queries) const {
  return std::ldexp(1.0, exponents(queries, *kernels_->encode).second + exponent_);
}

bool Int8Table::unit_fits(ConstMatrixView queries) const {
  const auto [least, most] = exponents(queries, *kernels_->encode);
  return most - least <= 40;
}

FilterJob Int8Table::job(const Int8Queries& queries, const float* thresholds, std::size_t begin,
                         std::size_t end) const {
  const std::size_t first = begin * kPanelRows;
  FilterJob job{};
  job.queries = queries.rows.data();
  job.query_count = queries.padded_count();
  job.query_lead = queries.lead.data();
  job.query_slack = queries.slack.data();
  job.threshold = thresholds;
  job.rows = rows_.codes.data() + first * encoder_.code_count();
  job.groups = encoder_.groups();
  job.panels = end - begin;
  job.block_end = kPanelRows / block_rows();
  job.span_groups = encoder_.span_groups();
  job.span_weight = queries.span_weights.data();
  job.checks = job.first_check = checks();  // none is done unless asked for
  job.row_tail = rows_.tails.data() + first * checks();
  job.query_tail = queries.tails.data();
  job.row_correction = rows_.corrections.data() + first * encoder_.spans();
  job.row_scale = rows_.scale.data() + first;
  job.row_lead = rows_.lead.data() + first;
  job.row_slack = rows_.slack.data() + first;
  job.first_row = static_cast<std::uint32_t>(first);
  return job;
}

float Int8Queries::threshold_for_score(std::size_t position, float score) const {
  if (score == -std::numeric_limits<float>::infinity()) return score;
  const double threshold = (std::min(double{score}, kLargestScore) - 0x1.0p-149) / unit[position];
  return float_below(threshold - std::fabs(threshold) * 0x1.0p-50);
}

float Int8Queries::threshold_for_bound(std::size_t position, double kth) const {
  const double most = kLargestScore * (1 - 0x1.0p-20) / unit[position];
  const double threshold = std::min(most, kth - 0x1.0p-147 / unit[position]);
  return threshold < -most ? -std::numeric_limits<float>::infinity() : float_below(threshold);
}

}  // namespace wordbridge
