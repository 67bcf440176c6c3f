#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "retrieval/ranked_targets.h"
#include "space/csls_statistics.h"
#include "space/unit_rows.h"

namespace wordbridge {

/// CSLS ranking without a search, from the lists of nearest words that the statistics of both sides left behind.
///
/// Let c_k(x) be the k-th best cosine of a word x and a(x) the mean of its k best, t_k(y) and b(y) the same of a target
/// y. A pair that stands in neither list has cos(x, y) <= c_k(x) and cos(x, y) <= t_k(y), so that its score
///     2 cos(x, y) - a(x) - b(y)  <=  -(a(x) - c_k(x)) - (b(y) - t_k(y))  <=  -(a(x) - c_k(x)) - min over y (b - t_k).
/// Where enough targets of the lists score above that, they are the best of all; only the other words are searched for.
class NeighborListRanking {
 public:
  /// `nearest` is that of the statistics; all must outlive this.
  NeighborListRanking(const UnitRows& asking, const UnitRows& answering, CslsStatistics& statistics,
                      const TwoSidedNeighbors& nearest, Side side);

  /// Ranks some vectors with these means by any other way.
  using Otherwise = std::function<Candidates(ConstMatrixView queries, std::span<const double> means)>;
  /// The best targets of the words [first, first + words).
  Candidates best(std::size_t first, std::size_t words, std::size_t count, const Otherwise& otherwise) const;

 private:
  struct Listed {
    WordId target;
    float cosine;
  };
  void find_askers(std::size_t first, std::size_t words, std::vector<std::size_t>& starts,
                   std::vector<Listed>& listed) const;
  /// True where the list holds the best of all targets; `listed` are those in whose lists the word stands.
  bool rank(WordId x, std::span<const Listed> listed, RankedTargets& list) const;

  const UnitRows& asking_;
  const UnitRows& answering_;
  const Neighbors& of_asking_;     // the nearest targets of each word
  const Neighbors& of_answering_;  // the nearest words of each target
  std::span<const double> a_, b_;  // the means
  double least_gap_ = 0;           // min over y (b - t_k)
  bool all_listed_ = false;        // there are no other pairs
};

}  // namespace wordbridge
