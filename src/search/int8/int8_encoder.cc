#include "search/int8/int8_encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr double kUp = 1 + 0x1.0p-40;  // more than sums of 2^12 doubles lose

/// Shorter spans than in plain tables, so that there are more checks. Above kMostStaged codes the bound of what the
/// rotation loses is too large, and finding the axes takes too long.
constexpr std::size_t kStagedSpanGroups = 20, kMostStaged = 512;
/// The largest rho. Sums of 16 bits times its square, over all spans and both halves, fit into 32 bits.
constexpr double kMostSpanFactor = 16;

std::vector<double> factors_by_sizes(std::vector<double> sizes) {
  const double most = *std::max_element(sizes.begin(), sizes.end());
  for (double& size : sizes) size = most > 0 ? std::max(1.0, std::round(kMostSpanFactor * size / most)) : 1.0;
  return sizes;
}

std::size_t rounded_up(std::size_t count, std::size_t multiple) { return (count + multiple - 1) / multiple * multiple; }

/// The direction of the largest second moment of the rows: a few rounds of the power method over a sample.
std::vector<float> leading_direction(ConstMatrixView table, std::size_t padded, const EncodeKernel& kernel) {
  constexpr std::size_t kSample = 2048, kRounds = 8;
  const std::size_t d = table.cols(), sample = std::min(kSample, table.rows());
  std::vector<float> result(padded);
  if (sample == 0 || d == 0) return result;
  std::vector<double> direction(d), next(d);
  int exponent = std::numeric_limits<int>::min();
  for (std::size_t s = 0; s < sample; ++s)
    exponent = std::max(exponent, exponent_of(table.row(s * table.rows() / sample).data(), d, kernel));
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

int exponent_of(const float* values, std::size_t count, const EncodeKernel& kernel) {
  const float largest = kernel.largest(values, count);
  return largest == 0 ? 0 : std::ilogb(largest);
}

Int8Encoder::Int8Encoder(ConstMatrixView table, const Kernels& kernels, bool may_stage)
    : kernel_(kernels.filter),
      loops_(kernels.encode),
      dimension_(table.cols()),
      code_count_(rounded_up(table.cols(), kernel_->dimension_multiple)),
      lead_(leading_direction(table, code_count_, *loops_)),
      lead_norm_(norm_above(lead_.data(), lead_.size())),
      spread_(code_count_, *loops_) {
  const FilterKernel& kernel = *kernel_;
  const bool staged =
      may_stage && table.rows() >= kernel.least_staged_rows && groups() >= 2 && code_count_ <= kMostStaged;
  // Spans of equal length, as long as the kernel allows.
  const std::size_t longest = staged ? std::min(kStagedSpanGroups, kernel.most_span_groups) : kernel.most_span_groups;
  const std::size_t most = longest == 0 ? groups() : longest, least = staged ? 2 : 1;
  const std::size_t count = std::max(least, (groups() + most - 1) / std::max<std::size_t>(1, most));
  span_groups_ = std::max<std::size_t>(1, (groups() + count - 1) / count);
  span_factors_.assign((groups() + span_groups_ - 1) / span_groups_, 1.0);
  if (!staged) return;
  axes_ = std::make_shared<const PrincipalRotation>(sample_of(table), 4 * span_groups_, *loops_);
  span_factors_ = factors_by_sizes(axes_->span_sizes());
}

Int8Encoder::Int8Encoder(Parts parts, const Kernels& kernels)
    : kernel_(kernels.filter),
      loops_(kernels.encode),
      dimension_(parts.dimension),
      code_count_(parts.code_count),
      span_groups_(parts.span_groups),
      lead_(std::move(parts.lead)),
      lead_norm_(norm_above(lead_.data(), lead_.size())),
      spread_(code_count_, *loops_),
      axes_(std::move(parts.axes)),
      span_factors_(std::move(parts.span_factors)) {}

Matrix Int8Encoder::sample_of(ConstMatrixView table) const {
  constexpr std::size_t kSample = 4096;
  std::vector<const float*> rows;
  const std::size_t count = std::min(kSample, table.rows());
  int largest = std::numeric_limits<int>::min();
  for (std::size_t s = 0; s < count; ++s) {
    const float* row = table.row(s * table.rows() / count).data();
    largest = std::max(largest, exponent_of(row, table.cols(), *loops_));
    rows.push_back(row);
  }
  Matrix sample(count, code_count_);
  const double unit = std::ldexp(1.0, -largest);
  for (std::size_t s = 0; s < count; ++s) {
    double lead = 0, square = 0;
    loops_->measure(rows[s], lead_.data(), dimension_, unit, &lead, &square);
    loops_->subtract(rows[s], lead_.data(), dimension_, unit, lead, sample.row(s).data(), &square, &lead);
  }
  return sample;
}

Int8Encoder::Block::Block(const Int8Encoder& encoder)
    : codes(BasicMatrix<std::int8_t>::uninitialized(kMostTogether, encoder.code_count())),
      vectors(kMostTogether),
      tails(kMostTogether, encoder.checks()),
      corrections(kMostTogether, encoder.spans()),
      rest_(kMostTogether),
      unrotated_(Matrix::uninitialized(kMostTogether, encoder.code_count())),
      rotated_(Matrix::uninitialized(encoder.staged() ? kMostTogether : 0, encoder.code_count())) {}

void Int8Encoder::encode(std::span<const float* const> vectors, std::span<const int> exponents,
                         std::span<const double> factors, Block& block) const {
  rotate(vectors, exponents, block);
  for (std::size_t i = 0; i < vectors.size(); ++i) quantize(i, factors, block);
}

std::vector<double> Int8Encoder::factors_for(std::span<const float* const> vectors, std::span<const int> exponents,
                                             Block& block) const {
  if (!staged()) return span_factors_;
  rotate(vectors, exponents, block);
  std::vector<double> sizes;
  const std::size_t length = 4 * span_groups_;
  for (std::size_t begin = 0; begin < code_count_; begin += length) {
    double square = 0;
    for (std::size_t i = 0; i < vectors.size(); ++i)
      for (std::size_t j = begin; j < std::min(begin + length, code_count_); ++j)
        square += std::pow(double{block.rotated_(i, j)}, 2);
    sizes.push_back(std::sqrt(square / static_cast<double>(std::min(length, code_count_ - begin))));
  }
  return factors_by_sizes(sizes);
}

void Int8Encoder::rotate(std::span<const float* const> vectors, std::span<const int> exponents, Block& block) const {
  for (std::size_t i = 0; i < vectors.size(); ++i) take_lead_off(vectors[i], exponents[i], i, block);
  if (staged())
    axes_->apply(block.unrotated_.view().slice(0, vectors.size()), block.rotated_.view().slice(0, vectors.size()));
  else
    for (std::size_t i = 0; i < vectors.size(); ++i) spread_.apply(block.unrotated_.row(i).data());
}

/// x = lead v + r, r as floats in units of x's own exponent, where none can overflow or lose bits; all factors are
/// powers of two.
void Int8Encoder::take_lead_off(const float* x, int exponent, std::size_t i, Block& block) const {
  const std::size_t d = dimension();
  const int own = exponent_of(x, d, *loops_);
  const double to_own = std::ldexp(1.0, -own), unit = std::ldexp(1.0, own - exponent);
  double dot = 0, square = 0, rest_square = 0, off = 0;
  loops_->measure(x, lead_.data(), d, to_own, &dot, &square);
  Int8Code& code = block.vectors[i];
  code.lead = static_cast<float>(dot * unit);
  if (!std::isnormal(code.lead)) code.lead = 0;
  const double lead = static_cast<double>(code.lead) / unit;

  // r = x - lead v: the product of two floats is exact in double, the difference is rounded to 53 bits, then to float.
  float* rests = block.unrotated_.row(i).data();
  loops_->subtract(x, lead_.data(), d, to_own, lead, rests, &rest_square, &off);
  std::fill(rests + d, rests + code_count_, 0.0f);
  const double norm = std::sqrt(square) * kUp, rounded_norm = std::sqrt(rest_square) * kUp;
  const double rounding = kFloatRoundoff * kUp * rounded_norm + 0x1.0p-50 * (norm + std::fabs(lead) * lead_norm_);
  const double rest_norm = rounded_norm + rounding;
  code.rest_norm = rest_norm * unit;
  code.off_lead = (std::fabs(off) + 0x1.0p-40 * rest_norm + rounding) * (1 + lead_norm_) * unit;
  block.rest_[i] = {unit, rounding, rounded_norm};
}

/// Codes of the rotated rest, and what they lose.
void Int8Encoder::quantize(std::size_t i, std::span<const double> factors, Block& block) const {
  const float* rotated = (staged() ? block.rotated_ : block.unrotated_).row(i).data();
  const auto [unit, rounding, rounded_norm] = block.rest_[i];
  const double error = staged() ? axes_->error() : spread_.error();
  const double losses = error * rounded_norm + 0x1.0p-100 + rounding;
  const std::size_t length = 4 * span_groups_;
  Int8Code& code = block.vectors[i];
  std::int8_t* codes = block.codes.row(i).data();

  // A rest of rounding errors only is not worth codes, and 1 / scale must be a float. The norms of half spans tell at
  // once about how large the step must be for theirs.
  const bool short_sums = kernel_->most_span_groups != 0;
  double step = 0, square = 0;
  for (std::size_t span = spans(); span-- > 0;) {
    const std::size_t begin = span * length;
    float largest = 0;
    double squares[2];
    loops_->measure_halves(rotated + begin, std::min(length, code_count_ - begin), &largest, squares);
    double wanted = static_cast<double>(largest) / kernel_->levels;
    if (short_sums) wanted = std::max(wanted, std::sqrt(std::max(squares[0], squares[1])) / kMostSpanNorm);
    if (largest >= 0x1.0p-60f) step = std::max(step, wanted / factors[span]);
    square += squares[0] + squares[1];
    if (span < spans() - checks() || checks() == 0) continue;
    block.tails(i, span - (spans() - checks())) = (std::sqrt(square) * kUp + losses) * unit;
  }
  for (;;) {
    code.scale = static_cast<float>(step * unit * (1 + 0x1.0p-22));
    if (!std::isnormal(code.scale)) code.scale = 0;
    const double scale = static_cast<double>(code.scale) / unit;
    double residual_square = 0, code_square = 0;
    int largest_square = 0;
    for (std::size_t span = 0; span < spans(); ++span) {
      const std::size_t begin = span * length, count = std::min(length, code_count_ - begin);
      CodeSums sums;
      loops_->round_to_codes(rotated + begin, count, scale * factors[span], kernel_->levels, codes + begin, &sums);
      residual_square += sums.residual_square;
      code_square += static_cast<double>(sums.squares[0] + sums.squares[1]) * factors[span] * factors[span];
      largest_square = std::max({largest_square, sums.squares[0], sums.squares[1]});
      block.corrections(i, span) = correction(sums);
    }
    code.code_norm = scale * std::sqrt(code_square) * unit * kUp;
    code.residual = (std::sqrt(residual_square) * kUp + losses) * unit;
    if (!short_sums || largest_square <= kMostSpanNorm * kMostSpanNorm) break;
    step *= std::sqrt(largest_square) / kMostSpanNorm * 1.002;
  }
}

std::int32_t Int8Encoder::correction(const CodeSums& span) const {
  const int offset = kernel_->query_offset;
  if (kernel_->most_span_groups == 0) return -offset * (span.sums[0] + span.sums[1]);
  const auto low = static_cast<std::uint16_t>(-offset * span.sums[0]);
  const auto high = static_cast<std::uint16_t>(-offset * span.sums[1]);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(high) << 16 | low);
}

}  // namespace wordbridge
