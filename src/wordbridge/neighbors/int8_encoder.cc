#include "wordbridge/neighbors/int8_encoder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "wordbridge/neighbors/rounding.h"

namespace wordbridge {

namespace {

constexpr double kUp = 1 + 0x1.0p-40;  // more than sums of 2^12 doubles lose

/// Shorter spans than in plain tables, so that there are more checks. Above kMostStaged codes the bound of what the
/// rotation loses is too large, and finding the axes takes too long.
constexpr std::size_t kStagedSpanGroups = 20, kMostStaged = 512;
/// The largest rho. Sums of 16 bits times its square, over all spans and both halves, fit into 32 bits.
constexpr double kMostSpanFactor = 16;

std::size_t rounded_up(std::size_t count, std::size_t multiple) { return (count + multiple - 1) / multiple * multiple; }

/// Sums run in this many lanes, so that they are fast without a license to reorder them. Divides the number of codes.
constexpr std::size_t kLanes = 4;
double sum(const double (&lanes)[kLanes]) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

float largest_of(const float* values, std::size_t count) {
  std::int32_t largest = 0;  // the bits of floats >= 0 are ordered as the floats are
  for (std::size_t i = 0; i < count; ++i)
    largest = std::max(largest, std::bit_cast<std::int32_t>(values[i]) & 0x7fff'ffff);
  return std::bit_cast<float>(largest);
}

struct Rounded {
  double residual_square, code_square;
};

/// codes = values / scale, rounded; what is left is measured, so how they are rounded does not matter for correctness.
Rounded round_to_codes(const float* values, std::size_t count, double scale, int levels, std::int8_t* codes) {
  const float inverse = scale == 0 ? 0.0f : static_cast<float>(1 / scale), most = static_cast<float>(levels);
  double residual[kLanes] = {}, square[kLanes] = {};
  for (std::size_t i = 0; i < count; i += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) {
      // Adding and taking away 1.5 * 2^23 rounds to a whole number.
      float code = values[i + l] * inverse + 12'582'912.0f - 12'582'912.0f;
      code = code > most ? most : code;
      code = code < -most ? -most : code;
      codes[i + l] = static_cast<std::int8_t>(static_cast<int>(code));
      const double left = static_cast<double>(values[i + l]) - scale * static_cast<double>(code);
      residual[l] += left * left;
      square[l] += static_cast<double>(code) * static_cast<double>(code);
    }
  return {sum(residual), sum(square)};
}

/// The direction of the largest second moment of the rows: a few rounds of the power method over a sample.
std::vector<float> leading_direction(ConstMatrixView table, std::size_t padded) {
  constexpr std::size_t kSample = 2048, kRounds = 8;
  const std::size_t d = table.cols(), sample = std::min(kSample, table.rows());
  std::vector<float> result(padded);
  if (sample == 0 || d == 0) return result;
  std::vector<double> direction(d), next(d);
  int exponent = std::numeric_limits<int>::min();
  for (std::size_t s = 0; s < sample; ++s)
    exponent = std::max(exponent, exponent_of(table.row(s * table.rows() / sample).data(), d));
  const double unit = std::ldexp(1.0, -exponent);
  for (std::size_t round = 0; round <= kRounds; ++round) {
    std::fill(next.begin(), next.end(), 0.0);
    for (std::size_t s = 0; s < sample; ++s) {
      const float* row = table.row(s * table.rows() / sample).data();
      double weight = 0;  // at first the mean of the rows is taken
      for (std::size_t j = 0; j < d; ++j) weight += direction[j] * (unit * row[j]);
      if (round == 0) weight = 1;
      for (std::size_t j = 0; j < d; ++j) next[j] += weight * (unit * row[j]);
    }
    double square = 0;
    for (const double value : next) square += value * value;
    if (!(square > 0x1.0p-200)) break;  // rows that cancel out: the direction of before, or none
    for (std::size_t j = 0; j < d; ++j) direction[j] = next[j] / std::sqrt(square);
  }
  std::copy(direction.begin(), direction.end(), result.begin());
  return result;
}

}  // namespace

int exponent_of(const float* values, std::size_t count) {
  const float largest = largest_of(values, count);
  return largest == 0 ? 0 : std::ilogb(largest);
}

Int8Encoder::Int8Encoder(ConstMatrixView table, const ScreenKernel& kernel)
    : kernel_(&kernel),
      dimension_(table.cols()),
      code_count_(rounded_up(table.cols(), kernel.dimension_multiple)),
      lead_(leading_direction(table, code_count_)),
      lead_norm_(norm_above(lead_.data(), lead_.size())),
      spread_(code_count_) {
  const bool staged = table.rows() >= kernel.least_staged_rows && groups() >= 2 && code_count_ <= kMostStaged;
  // Spans of equal length, as long as the kernel allows.
  const std::size_t longest = staged ? std::min(kStagedSpanGroups, kernel.most_span_groups) : kernel.most_span_groups;
  const std::size_t most = longest == 0 ? groups() : longest, least = staged ? 2 : 1;
  const std::size_t count = std::max(least, (groups() + most - 1) / std::max<std::size_t>(1, most));
  span_groups_ = std::max<std::size_t>(1, (groups() + count - 1) / count);
  span_factors_.assign((groups() + span_groups_ - 1) / span_groups_, 1.0);
  if (staged) choose_stages(table);
  for (const double factor : span_factors_) span_weights_.push_back(static_cast<std::int16_t>(factor * factor));
}

/// The axes of a sample of the rows without their leading direction.
void Int8Encoder::choose_stages(ConstMatrixView table) {
  constexpr std::size_t kSample = 4096;
  std::vector<const float*> rows;
  const std::size_t count = std::min(kSample, table.rows());
  int largest = std::numeric_limits<int>::min();
  for (std::size_t s = 0; s < count; ++s) {
    const float* row = table.row(s * table.rows() / count).data();
    largest = std::max(largest, exponent_of(row, table.cols()));
    rows.push_back(row);
  }
  Matrix sample(count, code_count_);
  const double unit = std::ldexp(1.0, -largest);
  for (std::size_t s = 0; s < count; ++s) {
    double lead = 0;
    for (std::size_t j = 0; j < dimension_; ++j) lead += unit * double{rows[s][j]} * double{lead_[j]};
    for (std::size_t j = 0; j < dimension_; ++j)
      sample(s, j) = static_cast<float>(unit * double{rows[s][j]} - lead * double{lead_[j]});
  }
  axes_.emplace(sample, 4 * span_groups_);
  const std::vector<double>& sizes = axes_->span_sizes();
  const double most = *std::max_element(sizes.begin(), sizes.end());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    span_factors_[i] = most > 0 ? std::max(1.0, std::round(kMostSpanFactor * sizes[i] / most)) : 1.0;
}

Int8Encoder::Block::Block(const Int8Encoder& encoder)
    : codes(BasicMatrix<std::int8_t>::uninitialized(kMostTogether, encoder.code_count())),
      vectors(kMostTogether),
      rests(kMostTogether, encoder.checks()),
      values_(encoder.code_count()),
      rest_(kMostTogether),
      unrotated_(Matrix::uninitialized(kMostTogether, encoder.code_count())),
      rotated_(Matrix::uninitialized(encoder.staged() ? kMostTogether : 0, encoder.code_count())) {}

void Int8Encoder::encode(std::span<const float* const> vectors, std::span<const int> exponents, Block& block) const {
  for (std::size_t i = 0; i < vectors.size(); ++i) take_lead_off(vectors[i], exponents[i], i, block);
  if (staged())
    axes_->apply(block.unrotated_.view().slice(0, vectors.size()), block.rotated_.view().slice(0, vectors.size()));
  else
    for (std::size_t i = 0; i < vectors.size(); ++i) spread_.apply(block.unrotated_.row(i).data());
  for (std::size_t i = 0; i < vectors.size(); ++i) quantize(i, block);
}

/// The largest norm of the codes of half a span.
double Int8Encoder::span_norm(const std::int8_t* codes) const {
  int largest = 0;
  for (std::size_t start = 0; start < groups(); start += span_groups_) {
    int squares[2] = {0, 0};
    for (std::size_t i = 4 * start; i < 4 * std::min(groups(), start + span_groups_); ++i)
      squares[i / 2 % 2] += codes[i] * codes[i];
    largest = std::max({largest, squares[0], squares[1]});
  }
  return std::sqrt(largest);
}

/// x = lead v + r, r as floats in units of x's own exponent, where none can overflow or lose bits; all factors are
/// powers of two.
void Int8Encoder::take_lead_off(const float* x, int exponent, std::size_t i, Block& block) const {
  const std::size_t d = dimension();
  const int own = exponent_of(x, d);
  const double to_own = std::ldexp(1.0, -own), unit = std::ldexp(1.0, own - exponent);
  double *values = block.values_.data(), dots[kLanes] = {}, squares[kLanes] = {};
  for (std::size_t j = 0; j < d; ++j) values[j] = to_own * static_cast<double>(x[j]);
  std::fill(values + d, values + code_count_, 0.0);
  for (std::size_t j = 0; j < code_count_; j += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) {
      dots[l] += values[j + l] * static_cast<double>(lead_[j + l]);
      squares[l] += values[j + l] * values[j + l];
    }
  Int8Code& code = block.vectors[i];
  code.lead = static_cast<float>(sum(dots) * unit);
  if (!std::isnormal(code.lead)) code.lead = 0;
  const double lead = static_cast<double>(code.lead) / unit;

  // r = x - lead v: the product of two floats is exact in double, the difference is rounded to 53 bits, then to float.
  float* rests = block.unrotated_.row(i).data();
  double rest_squares[kLanes] = {}, offs[kLanes] = {};
  for (std::size_t j = 0; j < code_count_; j += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) {
      const double direction = lead_[j + l];
      const float rest = static_cast<float>(values[j + l] - lead * direction);
      rests[j + l] = rest;
      rest_squares[l] += static_cast<double>(rest) * static_cast<double>(rest);
      offs[l] += static_cast<double>(rest) * direction;
    }
  const double norm = std::sqrt(sum(squares)) * kUp, rounded_norm = std::sqrt(sum(rest_squares)) * kUp;
  const double rounding = kFloatRoundoff * kUp * rounded_norm + 0x1.0p-50 * (norm + std::fabs(lead) * lead_norm_);
  const double rest_norm = rounded_norm + rounding;
  code.rest_norm = rest_norm * unit;
  code.off_lead = (std::fabs(sum(offs)) + 0x1.0p-40 * rest_norm + rounding) * (1 + lead_norm_) * unit;
  block.rest_[i] = {unit, rest_norm, rounding, rounded_norm};
}

/// Codes of the rotated rest, and what they lose.
void Int8Encoder::quantize(std::size_t i, Block& block) const {
  const float* rotated = (staged() ? block.rotated_ : block.unrotated_).row(i).data();
  const auto [unit, rest_norm, rounding, rounded_norm] = block.rest_[i];
  const double error = staged() ? axes_->error() : spread_.error();
  const double losses = error * rounded_norm + 0x1.0p-100 + rounding;
  const std::size_t length = 4 * span_groups_;
  Int8Code& code = block.vectors[i];
  std::int8_t* codes = block.codes.row(i).data();

  // A rest of rounding errors only is not worth codes, and 1 / scale must be a float.
  double step = 0;
  for (std::size_t span = 0; span < spans(); ++span) {
    const std::size_t begin = span * length;
    const float largest = largest_of(rotated + begin, std::min(length, code_count_ - begin));
    if (largest >= 0x1.0p-60f)
      step = std::max(step, static_cast<double>(largest) / (kernel_->levels * span_factors_[span]));
  }
  for (;;) {
    code.scale = static_cast<float>(step * unit * (1 + 0x1.0p-22));
    if (!std::isnormal(code.scale)) code.scale = 0;
    const double scale = static_cast<double>(code.scale) / unit;
    double residual_square = 0, code_square = 0;
    for (std::size_t span = 0; span < spans(); ++span) {
      const std::size_t begin = span * length, count = std::min(length, code_count_ - begin);
      const Rounded rounded =
          round_to_codes(rotated + begin, count, scale * span_factors_[span], kernel_->levels, codes + begin);
      residual_square += rounded.residual_square;
      code_square += rounded.code_square * span_weights_[span];
    }
    code.code_norm = scale * std::sqrt(code_square) * unit * kUp;
    code.residual = (std::sqrt(residual_square) * kUp + losses) * unit;
    if (kernel_->most_span_groups == 0) break;
    const double norm_of_span = span_norm(codes);
    if (norm_of_span <= kMostSpanNorm) break;
    step *= norm_of_span / kMostSpanNorm * 1.002;
  }
  double square = 0;
  std::size_t from = code_count_;
  for (std::size_t check = checks(); check-- > 0;) {
    const std::size_t begin = (spans() - checks() + check) * length;
    for (; from > begin; --from)
      square += static_cast<double>(rotated[from - 1]) * static_cast<double>(rotated[from - 1]);
    block.rests(i, check) = (std::sqrt(square) * kUp + losses) * unit;
  }
}

void Int8Encoder::corrections(const std::int8_t* codes, std::int32_t* result) const {
  for (std::size_t span = 0; span < spans(); ++span) {
    int sums[2] = {0, 0};
    for (std::size_t i = 4 * span * span_groups_; i < 4 * std::min(groups(), (span + 1) * span_groups_); ++i)
      sums[i / 2 % 2] += codes[i];
    const int offset = kernel_->query_offset;
    if (kernel_->most_span_groups == 0) {
      result[span] = -offset * (sums[0] + sums[1]);
    } else {
      const auto low = static_cast<std::uint16_t>(-offset * sums[0]);
      const auto high = static_cast<std::uint16_t>(-offset * sums[1]);
      result[span] = static_cast<std::int32_t>(static_cast<std::uint32_t>(high) << 16 | low);
    }
  }
}

}  // namespace wordbridge
