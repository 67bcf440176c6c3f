#include "evaluation/paired_bootstrap.h"

#include <algorithm>
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

}  // namespace wordbridge
