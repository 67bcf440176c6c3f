#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "retrieval/csls/unlisted_bound.h"
#include "retrieval/ranked_targets.h"
#include "space/csls_statistics.h"
#include "space/unit_rows.h"

namespace wordbridge {

/// CSLS ranking without a search, from the lists of nearest words that the statistics of both sides left behind.
///
/// What a pair that stands in neither list can score at most is known (csls/unlisted_bound.h). Where enough targets of
/// the lists score above that, they are the best of all. For the other words a range search finds what may score above
/// the best of the lists.
class NeighborListRanking {
 public:
  /// `search` is over the answering words, `nearest` that of the statistics; all must outlive this. Rows are read where
  /// lists do not tell enough.
  NeighborListRanking(const UnitRows& asking, const UnitRows& answering, const NeighborSearch& search,
                      CslsStatistics& statistics, const TwoSidedLists& nearest, Side side);

  /// Ranks some vectors with these means by any other way: where the lists tell too little for a range search.
  using Otherwise = std::function<Candidates(ConstMatrixView queries, std::span<const double> means)>;
  /// The best targets of some words, none of which comes twice.
  Candidates best(std::span<const WordId> words, std::size_t count, const Otherwise& otherwise) const;

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
  bool search(std::span<const WordId> words, std::span<const double> thresholds,
              std::vector<RankedTargets>& lists) const;

  /// The same for those of words that stand at `places`: writes their lists, or nothing.
  bool search_bounded(std::span<const WordId> words, std::span<const std::size_t> places,
                      std::span<const double> thresholds, Candidates& result) const;

  const UnitRows& asking_;
  const UnitRows& answering_;
  const NeighborSearch& search_;
  NeighborLists of_asking_;        // the nearest targets of each word
  NeighborLists of_answering_;     // the nearest words of each target
  std::span<const double> a_, b_;  // the means
  std::vector<WordId> targets_;    // those with a vector
  bool all_listed_ = false;        // there are no other pairs
};

}  // namespace wordbridge
