#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "retrieval/csls/bounds.h"
#include "retrieval/ranked_targets.h"
#include "search/neighbor_search.h"
#include "space/csls_statistics.h"
#include "space/unit_rows.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// Let c(x) be the last cosine in the list of nearest words of x, t(y) the same of a target y, and b(y) at most the
/// mean of its k best. A pair that stands in neither list has cos(x, y) <= c(x) and cos(x, y) <= t(y), so that
///     2 cos(x, y) - b(y)  <=  max over y of (2 min(c(x), t(y)) - b(y)),
/// which sorting the targets by t gives for every x.
class UnlistedBound {
 public:
  /// Over these targets; `lists` and `means` (b) are of all.
  UnlistedBound(std::vector<WordId> targets, const NeighborLists& lists, std::span<const double> means);

  /// The same at once for one c(x): the right-hand side itself, which takes a pass over the targets instead of sorting.
  static double of_one(double last, std::span<const WordId> targets, const NeighborLists& lists,
                       std::span<const double> means);

  /// At least 2 cos(x, y) - b(y) for every pair that is not listed, if c(x) is this; minus infinity for no targets.
  double operator()(double last) const;

 private:
  std::vector<double> last_;   // t(y), ascending
  std::vector<double> below_;  // max over the targets before of 2 t - b; one more than targets
  std::vector<double> from_;   // min over the targets from here on of b; one more than targets
};

/// CSLS ranking without a search, from the lists of nearest words that the statistics of both sides left behind.
///
/// What a pair that stands in neither list can score at most is known (UnlistedBound). Where enough targets of
/// the lists score above that, they are the best of all. For the other words a range search finds what may score above
/// the best of the lists.
class NeighborListRanking {
 public:
  /// The words of a side, whole or sharded. Rows are read where lists do not tell enough.
  struct Words {
    ShardedRows rows;  // where they lie
    std::function<std::span<const float>(WordId place)> own;
    std::function<Matrix(std::span<const WordId> words)> gather;
    std::function<bool(WordId word)> is_zero;
    std::size_t nonzero = 0;

    static Words of(const UnitRows& whole);
  };
  /// `search` is over the answering words, `nearest` that of the statistics; all must outlive this.
  NeighborListRanking(Words asking, Words answering, const ShardedSearch& search, CslsStatistics& statistics,
                      const TwoSidedLists& nearest, Side side);

  /// Ranks some vectors with these means by any other way: where the lists tell too little for a range search.
  using Fallback = std::function<Candidates(ConstMatrixView queries, std::span<const double> means)>;
  /// The best targets of some words, none of which comes twice.
  Candidates best(std::span<const WordId> words, std::size_t count, const Fallback& fallback) const;

 private:
  struct Listed {
    WordId target;
    float cosine;
  };
  void find_askers(std::span<const WordId> words, std::vector<std::size_t>& starts, std::vector<Listed>& listed) const;
  /// True where the list holds the best of all targets; `listed` are those in whose lists the word stands.
  bool rank(WordId x, std::span<const Listed> listed, double most_unlisted, RankedTargets& list) const;
  /// For each word the most that a target of no list can score, but for a(x).
  std::vector<double> most_unlisted(std::span<const WordId> words) const;
  double score(WordId x, WordId y, float cosine) const { return 2.0 * static_cast<double>(cosine) - (a_[x] + b_[y]); }
  /// The lists of words whose `thresholds` are known to be reached; false where there is too much to look at.
  bool search(std::span<const WordId> words, std::span<const double> thresholds, std::size_t count,
              std::vector<RankedTargets>& lists) const;

  /// The same for those of words that stand at `places`: writes their lists, or nothing.
  bool search_bounded(std::span<const WordId> words, std::span<const std::size_t> places,
                      std::span<const double> thresholds, Candidates& result) const;

  Words asking_, answering_;
  ShardedSearch search_;
  NeighborLists of_asking_;        // the nearest targets of each word
  NeighborLists of_answering_;     // the nearest words of each target
  std::span<const double> a_, b_;  // the means
  std::vector<WordId> targets_;    // those with a vector
  bool all_listed_ = false;        // there are no other pairs
};

}  // namespace wordbridge
