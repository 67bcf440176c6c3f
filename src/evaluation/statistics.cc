#include "evaluation/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// The value below which that share of the sorted ones is, by linear interpolation.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

PairedBootstrap compare(const WordTranslation& first, const WordTranslation& second, const BootstrapOptions& options) {
  const std::size_t count = first.words.size();
  if (count == 0 || second.words.size() != count) throw UsageError("results over other words cannot be compared");
  if (options.samples == 0) throw UsageError("a bootstrap needs one sample at least");
  PairedBootstrap result;
  result.words = count;
  result.first = first.all.precision[0];
  result.second = second.all.precision[0];
  result.samples = options.samples;
  std::vector<int> gains(count);  // of the second over the first, for each word
  for (std::size_t i = 0; i < count; ++i) {
    if (first.words[i].word != second.words[i].word) throw UsageError("results over other words cannot be compared");
    gains[i] = int{second.words[i].rank == 1} - int{first.words[i].rank == 1};
    result.only_first += gains[i] < 0;
    result.only_second += gains[i] > 0;
  }
  Random random(options.seed);
  std::vector<double> differences(options.samples);
  std::size_t not_above = 0, not_below = 0;
  for (double& difference : differences) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += gains[random.index(count)];
    not_above += sum <= 0;
    not_below += sum >= 0;
    difference = 100 * static_cast<double>(sum) / static_cast<double>(count);
  }
  std::ranges::sort(differences);
  result.low = quantile(differences, 0.025);
  result.high = quantile(differences, 0.975);
  result.p_value = std::min(
      1.0, 2 * static_cast<double>(1 + std::min(not_above, not_below)) / static_cast<double>(1 + options.samples));
  return result;
}

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
