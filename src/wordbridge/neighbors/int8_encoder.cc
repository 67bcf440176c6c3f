#include "wordbridge/neighbors/int8_encoder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "wordbridge/neighbors/rounding.h"

namespace wordbridge {

namespace {

constexpr double kUp = 1 + 0x1.0p-40;  // more than sums of 2^12 doubles lose

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
      rotation_(code_count_) {
  // Spans of equal length, as long as the kernel allows.
  const std::size_t most = kernel.most_span_groups == 0 ? groups() : kernel.most_span_groups;
  const std::size_t count = std::max<std::size_t>(1, (groups() + most - 1) / std::max<std::size_t>(1, most));
  span_groups_ = std::max<std::size_t>(1, (groups() + count - 1) / count);
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

Int8Code Int8Encoder::encode(const float* x, int exponent, std::int8_t* codes, Scratch& scratch) const {
  const std::size_t d = dimension();
  scratch.values.resize(code_count_);
  scratch.rotated.resize(code_count_);
  // First in units of x's own exponent, where no float can overflow or lose bits; all factors are powers of two.
  const int own = exponent_of(x, d);
  const double to_own = std::ldexp(1.0, -own), unit = std::ldexp(1.0, own - exponent);
  double *values = scratch.values.data(), dots[kLanes] = {}, squares[kLanes] = {};
  for (std::size_t i = 0; i < d; ++i) values[i] = to_own * static_cast<double>(x[i]);
  std::fill(values + d, values + code_count_, 0.0);
  for (std::size_t i = 0; i < code_count_; i += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) {
      dots[l] += values[i + l] * static_cast<double>(lead_[i + l]);
      squares[l] += values[i + l] * values[i + l];
    }
  Int8Code code;
  code.lead = static_cast<float>(sum(dots) * unit);
  if (!std::isnormal(code.lead)) code.lead = 0;
  const double lead = static_cast<double>(code.lead) / unit;

  // r = x - lead v: the product of two floats is exact in double, the difference is rounded to 53 bits, then to float.
  float* rotated = scratch.rotated.data();
  double rest_squares[kLanes] = {}, offs[kLanes] = {};
  for (std::size_t i = 0; i < code_count_; i += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) {
      const double direction = lead_[i + l];
      const float rest = static_cast<float>(values[i + l] - lead * direction);
      rotated[i + l] = rest;
      rest_squares[l] += static_cast<double>(rest) * static_cast<double>(rest);
      offs[l] += static_cast<double>(rest) * direction;
    }
  const double norm = std::sqrt(sum(squares)) * kUp, rounded_norm = std::sqrt(sum(rest_squares)) * kUp;
  const double rounding = kFloatRoundoff * kUp * rounded_norm + 0x1.0p-50 * (norm + std::fabs(lead) * lead_norm_);
  const double rest_norm = rounded_norm + rounding;
  rotation_.apply(rotated);
  const double losses = rotation_.error() * rounded_norm + 0x1.0p-100 + rounding;

  // A rest of rounding errors only is not worth codes, and 1 / scale must be a float.
  const float largest = largest_of(rotated, code_count_);
  double step = largest < 0x1.0p-60f ? 0.0 : static_cast<double>(largest) / kernel_->levels;
  for (;;) {
    code.scale = static_cast<float>(step * unit * (1 + 0x1.0p-22));
    if (!std::isnormal(code.scale)) code.scale = 0;
    const double scale = static_cast<double>(code.scale) / unit;
    const Rounded rounded = round_to_codes(rotated, code_count_, scale, kernel_->levels, codes);
    code.code_norm = scale * std::sqrt(rounded.code_square) * unit * kUp;
    code.residual = (std::sqrt(rounded.residual_square) * kUp + losses) * unit;
    if (kernel_->most_span_groups == 0) break;
    const double norm_of_span = span_norm(codes);
    if (norm_of_span <= kMostSpanNorm) break;
    step *= norm_of_span / kMostSpanNorm * 1.002;
  }
  code.rest_norm = rest_norm * unit;
  code.off_lead = (std::fabs(sum(offs)) + 0x1.0p-40 * rest_norm + rounding) * (1 + lead_norm_) * unit;
  return code;
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
