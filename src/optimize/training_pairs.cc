#include "optimize/training_pairs.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "linalg/rows.h"

namespace wordbridge {

namespace {

std::vector<std::uint32_t> distinct(std::vector<std::uint32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::uint32_t position(const std::vector<std::uint32_t>& ascending, std::uint32_t number) {
  return static_cast<std::uint32_t>(std::lower_bound(ascending.begin(), ascending.end(), number) - ascending.begin());
}

MatrixD rows_of(ConstMatrixView table, const std::vector<std::uint32_t>& rows, std::span<const std::uint32_t> words) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(words.size());
  for (const std::uint32_t word : words) numbers.push_back(rows[word]);
  return gather_rows<double>(table, numbers);
}

}  // namespace

TrainingPairs::TrainingPairs(ConstMatrixView source_table, ConstMatrixView target_table,
                             std::span<const Lexicon::Pair> pairs)
    : source_table_(source_table), target_table_(target_table), pairs_(pairs.begin(), pairs.end()) {
  for (const Lexicon::Pair& pair : pairs_) {
    source_rows_.push_back(pair.source);
    target_rows_.push_back(pair.target);
  }
  source_rows_ = distinct(std::move(source_rows_));
  target_rows_ = distinct(std::move(target_rows_));
  for (Lexicon::Pair& pair : pairs_)
    pair = {position(source_rows_, pair.source), position(target_rows_, pair.target), pair.weight};
}

MatrixD TrainingPairs::sources(std::span<const std::uint32_t> words) const {
  return rows_of(source_table_, source_rows_, words);
}
MatrixD TrainingPairs::targets(std::span<const std::uint32_t> words) const {
  return rows_of(target_table_, target_rows_, words);
}

PairGroups PairGroups::of(std::span<const Lexicon::Pair> pairs) {
  std::vector<Lexicon::Pair> sorted(pairs.begin(), pairs.end());
  std::sort(sorted.begin(), sorted.end(), [](const Lexicon::Pair& a, const Lexicon::Pair& b) {
    return a.source != b.source ? a.source < b.source : a.target < b.target;
  });
  PairGroups groups;
  for (const Lexicon::Pair& pair : sorted) {
    if (groups.sources.empty() || groups.sources.back() != pair.source) {
      groups.sources.push_back(pair.source);
      groups.begin.push_back(groups.targets_of.size());
    }
    groups.targets_of.push_back(pair.target);
    groups.weights_of.push_back(pair.weight);
  }
  groups.begin.push_back(groups.targets_of.size());
  groups.targets = distinct(groups.targets_of);
  groups.target_weights.resize(groups.targets.size());
  for (std::size_t p = 0; p < groups.targets_of.size(); ++p)
    groups.target_weights[position(groups.targets, groups.targets_of[p])] += groups.weights_of[p];
  return groups;
}

double PairGroups::weight() const { return std::accumulate(weights_of.begin(), weights_of.end(), 0.0); }

}  // namespace wordbridge
