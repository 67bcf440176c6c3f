#include "evaluation/correlation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace wordbridge {

namespace {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::optional<double> pearson_correlation(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  if (x.size() < 2) return std::nullopt;
  const double x_mean = mean_of(x), y_mean = mean_of(y);
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - x_mean, dy = y[i] - y_mean;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  const auto constant = [](std::span<const double> values) {
    return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
  };
  if (constant(x) || constant(y)) return std::nullopt;  // the sums may be rounding errors then
  return std::clamp(xy / (std::sqrt(xx) * std::sqrt(yy)), -1.0, 1.0);
}

std::optional<double> spearman_correlation(std::span<const double> x, std::span<const double> y) {
  return pearson_correlation(shared_ranks(x), shared_ranks(y));
}

std::vector<double> shared_ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    // Ranks begin + 1 .. end.
    const double shared = static_cast<double>(begin + 1 + end) / 2;
    for (; begin < end; ++begin) ranks[order[begin]] = shared;
  }
  return ranks;
}

}  // namespace wordbridge
