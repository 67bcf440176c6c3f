#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wordbridge/lexicon.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// Translation pairs over their distinct words: a word that stands in several pairs is searched for once. Pairs keep
/// their weights. Words are numbered by ascending table row; `rows` are the numbers that the table knows them by.
class TrainingPairs {
 public:
  /// `pairs` index the rows of the two tables, which must outlive this.
  TrainingPairs(ConstMatrixView source_table, ConstMatrixView target_table, std::span<const Lexicon::Pair> pairs);

  std::size_t size() const { return pairs_.size(); }
  /// The pairs in their given order, as numbers of distinct words.
  std::span<const Lexicon::Pair> pairs() const { return pairs_; }
  /// The distinct words of both sides.
  std::span<const std::uint32_t> source_rows() const { return source_rows_; }
  std::span<const std::uint32_t> target_rows() const { return target_rows_; }
  std::size_t source_dimension() const { return source_table_.cols(); }
  std::size_t target_dimension() const { return target_table_.cols(); }
  std::span<const float> target(std::uint32_t word) const { return target_table_.row(target_rows_[word]); }
  /// The vectors of some words, in double, in which everything is summed: one row a word.
  MatrixD sources(std::span<const std::uint32_t> words) const;
  MatrixD targets(std::span<const std::uint32_t> words) const;

 private:
  ConstMatrixView source_table_, target_table_;
  std::vector<Lexicon::Pair> pairs_;
  std::vector<std::uint32_t> source_rows_, target_rows_;
};

/// The given pairs (all of them where `batch` is absent) grouped by source word: what one evaluation works on.
/// Every list is in ascending order, so sums over it do not depend on the order of the batch.
struct PairGroups {
  std::vector<std::uint32_t> sources;     // distinct source words, ascending
  std::vector<std::size_t> begin;         // of each source word's pairs in `targets_of`; one more at the end
  std::vector<std::uint32_t> targets_of;  // target words of the pairs, grouped by source word
  std::vector<double> weights_of;         // weights of these pairs
  std::vector<std::uint32_t> targets;     // distinct target words, ascending
  std::vector<double> target_weights;     // of each of them, the sum over its pairs

  double weight() const;  // of all pairs

  static PairGroups of(std::span<const Lexicon::Pair> pairs);
};

}  // namespace wordbridge
