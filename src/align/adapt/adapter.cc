#include "align/adapt/adapter.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/rows.h"
#include "optimize/adam.h"
#include "wordbridge/context.h"
#include "wordbridge/normalizer.h"

namespace wordbridge {

namespace {

std::vector<double> mean_of(ConstMatrixView rows) {
  std::vector<double> mean(rows.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += rows(i, j);
  for (double& value : mean) value /= static_cast<double>(rows.rows());
  return mean;
}

Matrix centered(ConstMatrixView rows, std::span<const double> mean) {
  Matrix result = Matrix::copy_of(rows);
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j) result(i, j) = static_cast<float>(result(i, j) - mean[j]);
  return result;
}

double trace(const MatrixD& m) {
  double sum = 0;
  for (std::size_t i = 0; i < m.rows(); ++i) sum += m(i, i);
  return sum;
}

void divide(MatrixD& m, std::size_t n) {
  for (double& value : m.elements()) value /= static_cast<double>(n);
}

/// The map W with the intercept that takes the mean of the inputs to the mean of the targets.
AffineMap through_means(MatrixD w, std::span<const double> from, std::span<const double> to) {
  AffineMap map{std::move(w), {to.begin(), to.end()}};
  for (std::size_t i = 0; i < map.b.size(); ++i)
    for (std::size_t j = 0; j < from.size(); ++j) map.b[i] -= map.w(i, j) * from[j];
  return map;
}

/// x' = Pᵀ (x − x̄), P = V diag(e^(−1/4)), scaled so that the mean square of ‖x'‖ is 1; x − x̄ = P⁺ᵀ x' in its span.
struct HalfWhitening {
  HalfWhitening(std::vector<double> center, const Eigen& axes) : mean(std::move(center)) {
    constexpr double kLeast = 1e-6;  // of the largest variance: what is below is rounding
    const std::size_t d = axes.values.size();
    std::size_t first = 0;
    while (first + 1 < d && axes.values[first] < kLeast * axes.values.back()) ++first;
    double square = 0;
    for (std::size_t j = first; j < d; ++j) square += std::sqrt(axes.values[j]);
    into = back = MatrixD(d - first, d);
    for (std::size_t j = first; j < d; ++j) {
      const double scale = std::pow(axes.values[j], -0.25) / std::sqrt(square);
      variances.push_back(std::sqrt(axes.values[j]) / square);
      for (std::size_t i = 0; i < d; ++i) {
        into(j - first, i) = axes.vectors(i, j) * scale;
        back(j - first, i) = axes.vectors(i, j) / scale;
      }
    }
  }

  Matrix apply(ConstMatrixView rows) const { return multiply_abt(centered(rows, mean), to_float(into)); }

  std::vector<double> mean, variances;  // of x, of the elements of x'
  MatrixD into, back;                   // Pᵀ and P⁺ᵀ
};

MatrixD trained(ContrastiveObjective& objective, MatrixD start, int passes, std::uint64_t seed,
                const std::string& stage) {
  Adam adam(objective, {.passes = passes, .seed = stream_seed(seed, 2)});
  Stage progress(stage);
  OptimizerState state = run(adam, adam.start(std::move(start)), [&](const Iteration& step, const OptimizerState&) {
    progress.update(static_cast<std::uint64_t>(step.epoch) + 1, static_cast<std::uint64_t>(adam.steps()));
  });
  return std::move(state.w);
}

/// The map of x that has (W b), some columns of a matrix, for x'.
AffineMap unwhitened(const MatrixD& joined, std::size_t first, const HalfWhitening& white, double scale) {
  MatrixD w(joined.rows(), white.into.rows());
  AffineMap map{{}, std::vector<double>(joined.rows())};
  for (std::size_t i = 0; i < w.rows(); ++i) {
    for (std::size_t j = 0; j < w.cols(); ++j) w(i, j) = joined(i, first + j) * scale;
    map.b[i] = joined(i, first + w.cols()) * scale;
  }
  map.w = multiply(w, white.into);
  for (std::size_t i = 0; i < map.b.size(); ++i)
    for (std::size_t j = 0; j < white.mean.size(); ++j) map.b[i] -= map.w(i, j) * white.mean[j];
  return map;
}

}  // namespace

Matrix ItemMap::apply(ConstMatrixView units) const { return multiply_abt(centered(units, m), to_float(v)); }

Matrix AffineMap::apply(ConstMatrixView rows) const {
  Matrix result = multiply_abt(rows, to_float(w));
  for (std::size_t i = 0; i < result.rows(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) result(i, j) += static_cast<float>(b[j]);
  return result;
}

PairMoments::PairMoments(ConstMatrixView x, ConstMatrixView y) : mean_x_(mean_of(x)), mean_y_(mean_of(y)) {
  const Matrix from = centered(x, mean_x_), to = centered(y, mean_y_);
  MatrixD covariance = multiply_atb(from, from);
  cross_ = multiply_atb(to, from);
  divide(covariance, x.rows());
  divide(cross_, x.rows());
  spread_x_ = trace(covariance);
  for (const float value : to.elements()) spread_y_ += double{value} * value;
  spread_y_ /= static_cast<double>(y.rows());
  axes_ = symmetric_eigen(covariance);
}

AffineMap PairMoments::procrustes(Scale scale) const {
  const Svd parts = svd(cross_);
  MatrixD w = multiply(parts.u, parts.vt);
  double factor = 1;
  if (scale == Scale::least_squares)
    factor = std::accumulate(parts.s.begin(), parts.s.end(), 0.0) / std::max(spread_x_, 1e-300);
  if (scale == Scale::spreads) factor = std::sqrt(spread_y_ / std::max(spread_x_, 1e-300));
  for (double& value : w.elements()) value *= factor;
  return through_means(std::move(w), mean_x_, mean_y_);
}

AffineMap PairMoments::ridge(double lambda) const {
  MatrixD in_axes = multiply(cross_, axes_.vectors);
  const double most = axes_.values.back();
  const double added = lambda * spread_x_ / static_cast<double>(mean_x_.size());
  for (std::size_t j = 0; j < in_axes.cols(); ++j) {
    const double value = std::max(axes_.values[j], 0.0) + added;
    const double factor = value > 1e-10 * most ? 1 / value : 0;
    for (std::size_t i = 0; i < in_axes.rows(); ++i) in_axes(i, j) *= factor;
  }
  return through_means(multiply_abt(in_axes, axes_.vectors), mean_x_, mean_y_);
}

AffineMap PairMoments::low_rank(double lambda, std::size_t rank) const {
  const MatrixD w = ridge(lambda).w;
  MatrixD spread = multiply(w, axes_.vectors);
  for (std::size_t j = 0; j < spread.cols(); ++j)
    for (std::size_t i = 0; i < spread.rows(); ++i) spread(i, j) *= std::sqrt(std::max(axes_.values[j], 0.0));
  const Eigen axes = symmetric_eigen(multiply_abt(spread, spread));
  MatrixD kept(std::min(rank, axes.vectors.cols()), w.rows());
  for (std::size_t r = 0; r < kept.rows(); ++r)
    for (std::size_t i = 0; i < w.rows(); ++i) kept(r, i) = axes.vectors(i, axes.vectors.cols() - 1 - r);
  return through_means(multiply(transpose(kept), multiply(kept, w)), mean_x_, mean_y_);
}

PairedItems::PairedItems(ConstMatrixView source, ConstMatrixView target, std::span<const Lexicon::Pair> given,
                         std::size_t most, std::uint64_t seed) {
  std::vector<std::size_t> usable;
  for (std::size_t i = 0; i < given.size(); ++i)
    if (!is_zero(source.row(given[i].source)) && !is_zero(target.row(given[i].target))) usable.push_back(i);
  const bool all = most == 0;
  if (!all && usable.size() > most) {
    std::vector<std::size_t> drawn = Random(stream_seed(seed, 0)).sample(usable.size(), most);
    std::ranges::sort(drawn);
    for (std::size_t& i : drawn) i = usable[i];
    usable = std::move(drawn);
  }
  std::vector<std::uint32_t> source_rows, target_rows;
  std::unordered_map<std::uint32_t, std::uint32_t> source_numbers, target_numbers;
  const auto number = [](auto& numbers, auto& rows, std::uint32_t row) {
    const auto [at, added] = numbers.try_emplace(row, static_cast<std::uint32_t>(rows.size()));
    if (added) rows.push_back(row);
    return at->second;
  };
  for (const std::size_t i : usable)
    pairs.push_back(
        {number(source_numbers, source_rows, given[i].source), number(target_numbers, target_rows, given[i].target)});
  sources = gather_rows(source, source_rows);
  targets = gather_rows(target, target_rows);
  std::vector<std::uint32_t> others;
  for (std::uint32_t row = 0; row < target.rows(); ++row)
    if (!target_numbers.contains(row) && !is_zero(target.row(row))) others.push_back(row);
  const std::size_t room = all ? others.size() : most - std::min(most, target_rows.size());
  if (others.size() > room) {
    std::vector<std::size_t> drawn = Random(stream_seed(seed, 1)).sample(others.size(), room);
    std::ranges::sort(drawn);
    std::vector<std::uint32_t> kept;
    kept.reserve(drawn.size());
    for (const std::size_t i : drawn) kept.push_back(others[i]);
    others = std::move(kept);
  }
  target_rows.insert(target_rows.end(), others.begin(), others.end());
  units = gather_rows(target, target_rows);
  normalize_rows(units);
}

AffineMap contrastive_map(const PairedItems& items, std::span<const Lexicon::Pair> pairs, const Neighbors& near,
                          const PairMoments& moments, const AffineMap& start, const ContrastiveOptions& options,
                          int passes, const std::string& stage) {
  const HalfWhitening white(moments.source_mean(), moments.source_axes());
  const Matrix inputs = white.apply(items.sources);
  MatrixD w = multiply_abt(start.w, white.back);
  std::vector<double> b = start.b;
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = 0; j < white.mean.size(); ++j) b[i] += start.w(i, j) * white.mean[j];
  double length = 0;  // mean square of what the start gives, in these coordinates: ‖W'‖² over axes, and ‖b'‖²
  for (const double value : b) length += value * value;
  for (std::size_t j = 0; j < w.cols(); ++j)
    for (std::size_t i = 0; i < w.rows(); ++i) length += w(i, j) * w(i, j) * white.variances[j];
  length = std::sqrt(std::max(length, 1e-300));
  MatrixD joined(w.rows(), w.cols() + 1);
  for (std::size_t i = 0; i < w.rows(); ++i) {
    for (std::size_t j = 0; j < w.cols(); ++j) joined(i, j) = w(i, j) / length;
    joined(i, w.cols()) = b[i] / length;
  }
  ContrastiveObjective objective(inputs, items.units, {pairs.begin(), pairs.end()}, near, joined, options);
  return unwhitened(trained(objective, std::move(joined), passes, options.seed, stage), 0, white, length);
}

LearnedMap contrastive_maps_of_both(const PairedItems& items, std::span<const Lexicon::Pair> pairs,
                                    const PairMoments& moments, const ContrastiveOptions& given, int passes,
                                    const std::string& stage) {
  ContrastiveOptions options = given;
  options.both_sides = true;
  options.smoothing = options.backward = 0;
  std::vector<std::uint32_t> source_rows, target_rows;
  for (const auto& pair : pairs) {
    source_rows.push_back(pair.source);
    target_rows.push_back(pair.target);
  }
  const Matrix own = gather_rows(items.units, target_rows);
  const PairMoments of_items(own, gather_rows(items.sources, source_rows));
  const HalfWhitening white_x(moments.source_mean(), moments.source_axes());
  const HalfWhitening white_y(of_items.source_mean(), of_items.source_axes());
  const Matrix x = white_x.apply(items.sources), y = white_y.apply(items.units);
  const Svd parts = svd(multiply_atb(gather_rows(x, source_rows), gather_rows(y, target_rows)));
  const std::size_t k = parts.s.size(), first = x.cols() + 1;
  MatrixD joined(k, first + y.cols() + 1);
  double length_x = 0, length_y = 0;  // mean squares
  for (std::size_t i = 0; i < k; ++i) {
    const double scale = std::sqrt(parts.s[i] / std::max(parts.s[0], 1e-300));
    for (std::size_t j = 0; j < x.cols(); ++j) {
      joined(i, j) = scale * parts.u(j, i);
      length_x += joined(i, j) * joined(i, j) * white_x.variances[j];
    }
    for (std::size_t j = 0; j < y.cols(); ++j) {
      joined(i, first + j) = scale * parts.vt(i, j);
      length_y += joined(i, first + j) * joined(i, first + j) * white_y.variances[j];
    }
  }
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < joined.cols(); ++j)
      joined(i, j) /= std::sqrt(std::max(j < first ? length_x : length_y, 1e-300));
  const Neighbors none;
  ContrastiveObjective objective(x, y, {pairs.begin(), pairs.end()}, none, joined, options);
  const MatrixD found = trained(objective, joined, passes, options.seed, stage);
  LearnedMap map{unwhitened(found, 0, white_x, 1)};
  // V y + c is V (y − m) with m = −V⁺ c, as V has full row rank.
  AffineMap item = unwhitened(found, first, white_y, 1);
  const MatrixD gram = multiply_abt(item.w, item.w);
  MatrixD c(k, 1);
  for (std::size_t i = 0; i < k; ++i) c(i, 0) = item.b[i];
  const MatrixD solved = multiply(transpose(item.w), solve_least_squares(gram, c));
  std::vector<double> m(item.w.cols());
  for (std::size_t j = 0; j < m.size(); ++j) m[j] = -solved(j, 0);
  map.item = ItemMap{std::move(item.w), std::move(m)};
  return map;
}

}  // namespace wordbridge
