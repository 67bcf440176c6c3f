#include "wordbridge/hubness.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "linalg/rows.h"
#include "space/common_space_state.h"

namespace wordbridge {

namespace {

/// The source words that ask: those with a vector among the first `max_words`.
std::vector<WordId> asking_words(const UnitRows& sources, std::size_t max_words) {
  const std::size_t count = max_words == 0 ? sources.size() : std::min(max_words, sources.size());
  std::vector<WordId> words;
  for (WordId i = 0; i < count; ++i)
    if (!sources.is_zero(i)) words.push_back(i);
  return words;
}

Candidates ask(const Criterion& criterion, const UnitRows& sources, const std::vector<WordId>& words, std::size_t k) {
  const bool all = words.empty() || words.size() == words.back() + std::size_t{1};
  if (all) return criterion.best(sources.rows().slice(0, words.size()), k);  // without a copy
  return criterion.best(gather_rows(sources.rows(), words), k);
}

/// The targets with the most occurrences, ties by lower id; none that nobody chooses.
std::vector<Hubness::Hub> largest_hubs(const std::vector<std::size_t>& occurrences, std::size_t count) {
  std::vector<WordId> order;
  for (std::size_t i = 0; i < occurrences.size(); ++i)
    if (occurrences[i] > 0) order.push_back(static_cast<WordId>(i));
  count = std::min(count, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), [&](WordId a, WordId b) {
    return occurrences[a] > occurrences[b] || (occurrences[a] == occurrences[b] && a < b);
  });
  std::vector<Hubness::Hub> hubs;
  for (std::size_t i = 0; i < count; ++i) hubs.push_back({order[i], occurrences[order[i]], {}});
  return hubs;
}

void name_choosers(std::vector<Hubness::Hub>& hubs, const Candidates& best, const std::vector<WordId>& words,
                   std::size_t count) {
  for (std::size_t rank = 0; rank < best.found; ++rank)
    for (std::size_t query = 0; query < best.queries; ++query)
      for (Hubness::Hub& hub : hubs)
        if (hub.target == best.targets_of(query)[rank] && hub.chosen_by.size() < count)
          hub.chosen_by.push_back(words[query]);
}

/// 0, 1, 2-3, 4-7, ...
std::size_t bin_of(std::size_t occurrences) { return static_cast<std::size_t>(std::bit_width(occurrences)); }

}  // namespace

double Hubness::never_percent() const {
  return targets == 0 ? 0 : 100 * static_cast<double>(never) / static_cast<double>(targets);
}

Hubness evaluate_hubness(const Criterion& criterion, const CommonSpace& space, const HubnessOptions& options,
                         Side asking) {
  const UnitRows &sources = space.state().rows(asking), &targets = space.state().rows(other(asking));
  const std::vector<WordId> words = asking_words(sources, options.max_words);
  const Candidates best = ask(criterion, sources, words, options.k);
  std::vector<std::size_t> occurrences(targets.size());
  for (const WordId target : best.targets) ++occurrences[target];

  Hubness result;
  result.criterion = criterion.name();
  result.k = options.k;
  result.queries = words.size();
  std::vector<std::size_t> eligible;
  for (WordId i = 0; i < targets.size(); ++i)
    if (!targets.is_zero(i)) eligible.push_back(occurrences[i]);
  result.targets = eligible.size();
  result.skewness = skewness_of(eligible);
  for (const std::size_t count : eligible) {
    if (bin_of(count) >= result.histogram.size()) result.histogram.resize(bin_of(count) + 1);
    ++result.histogram[bin_of(count)];
    result.never += count == 0;
  }
  result.hubs = largest_hubs(occurrences, options.hubs);
  name_choosers(result.hubs, best, words, options.choosers);
  return result;
}

double skewness_of(std::span<const std::size_t> values) {
  if (values.empty()) return 0;
  const auto count = static_cast<double>(values.size());
  double mean = 0;
  for (const std::size_t value : values) mean += static_cast<double>(value);
  mean /= count;
  double squares = 0, cubes = 0;
  for (const std::size_t value : values) {
    const double difference = static_cast<double>(value) - mean;
    squares += difference * difference;
    cubes += difference * difference * difference;
  }
  const double variance = squares / count;
  return variance == 0 ? 0 : cubes / count / (variance * std::sqrt(variance));
}

std::string histogram_label(std::size_t bin) {
  if (bin < 2) return std::to_string(bin);
  const std::size_t first = std::size_t{1} << (bin - 1);
  return std::to_string(first) + "-" + std::to_string(2 * first - 1);
}

}  // namespace wordbridge
