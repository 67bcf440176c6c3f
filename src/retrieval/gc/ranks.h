#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "retrieval/gc/rank_bounds.h"
#include "space/nonzero_rows.h"
#include "space/table_search.h"
#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// Exact ranks from lists of what is nearer: a range search finds the source words that may score higher with a target,
/// and their exact scores are kept, so that the ranks of higher scores with the same target need no further search.
class ListedRanks {
 public:
  /// `sources`: the search over the source words. Both must outlive this.
  ListedRanks(const TableSearch& sources, ConstMatrixView targets)
      : sources_(sources),
        targets_(targets),
        nearer_(targets.rows()),
        known_above_(targets.rows(), std::numeric_limits<float>::infinity()),
        expected_(known_above_) {}

  /// A question about this score may come: whenever the target is looked at, its list reaches down to there, so that it
  /// need not be looked at again.
  void expect(WordId target, float score) { expected_[target] = std::min(expected_[target], score); }

  /// The ranks; nullopt if they are above what is enough.
  std::vector<std::optional<std::size_t>> ranks(std::span<const RankQuestion> questions);

 private:
  struct Wanted {
    std::vector<WordId> targets;
    std::vector<double> scores;  // all source words above these are looked for
  };
  Wanted unknown_of(std::span<const RankQuestion> questions) const;
  void learn(std::span<const RankQuestion> questions);
  void search(std::span<const WordId> targets, std::span<const double> scores);

  const TableSearch& sources_;
  ConstMatrixView targets_;
  std::vector<std::vector<float>> nearer_;  // of each target the scores above known_above_, descending
  std::vector<float> known_above_, expected_;
};

/// Exact ranks by counting: products of targets with all source words in fp32, and exact scores where these cannot
/// tell. Counting ends as soon as it is enough. For ranks so large that a list of what is nearer is no help. Zero
/// source rows count nothing.
class CountedRanks {
 public:
  /// Both must outlive this.
  CountedRanks(const UnitRows& sources, ConstMatrixView targets);

  /// The ranks; nullopt if they are above what is enough.
  std::vector<std::optional<std::size_t>> ranks(std::span<const RankQuestion> questions) const;

 private:
  class Block;

  NonzeroRows nonzero_;
  ConstMatrixView sources_;
  double largest_norm_;  // of the sources
  ConstMatrixView targets_;
};

}  // namespace wordbridge
