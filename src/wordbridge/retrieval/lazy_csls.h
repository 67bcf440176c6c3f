#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "wordbridge/retrieval/criterion.h"
#include "wordbridge/space/neighborhood_means.h"
#include "wordbridge/space/table_search.h"

namespace wordbridge {

/// CSLS ranking without r_s(y) for every target: exact, with the same bits as the full computation.
///
/// The mean of the scores of y to *any* k source words is at most r_s(y), so it gives an upper bound of the CSLS score,
/// and a target whose bound is strictly below the count-th best score known needs no exact r_s. Two lower bounds are
/// used:
///   coarse  max over some queries q' of <A(q'), y>, A(q') = the mean vector of k source words that are nearest to many
///           targets near q': one matrix product serves all targets and queries;
///   fine    the mean of the k best of y's scores to source words near q, or nearest to targets near q: for the few
///           targets that are left. The k-th best is also a floor from which the exact search of y can start.
/// The steps: the targets nearest to q with the best fine bounds get their exact r_s, which gives a threshold, and
/// their nearest source words; a scan over all targets with the coarse bounds leaves candidates; fine bounds thin them
/// out, first by few source words and then, once the best of what is left have their exact r_s, by many; what one query
/// learns of a target serves all; the rest get exact r_s.
class LazyCsls {
 public:
  /// `sources` and `targets`: searches over the tables; `means`: r_s of the targets. All must outlive this.
  LazyCsls(const TableSearch& sources, const TableSearch& targets, NeighborhoodMeans& means, std::size_t k);

  /// Nothing where the bounds turn out to be worth nothing, so that the full computation is less work: where all
  /// targets are alike, or no source word has a vector.
  std::optional<Candidates> best(ConstMatrixView queries, std::size_t count);

 private:
  class Batch;
  void learn(std::vector<WordId> targets);
  std::span<const WordId> nearest_sources(WordId target) const;
  void raise_lower_bounds(ConstMatrixView landmarks, double slack);

  const TableSearch& sources_;
  const TableSearch& targets_;
  NeighborhoodMeans& means_;
  std::size_t k_;
  std::vector<float> lower_;                         // coarse bounds: lower_[y] <= r_s(y)
  std::vector<float> floors_;                        // k source words score at least this with a target
  std::size_t eligible_sources_ = 0, eligible_ = 0;  // source words and targets with a vector
  std::vector<WordId> nearest_;                      // of targets that were learned here: k source words for each
  std::vector<std::uint32_t> nearest_at_;            // of each target, where they begin, plus 1; 0: not learned here
  double largest_source_ = 0, largest_target_ = 0;   // norms
};

}  // namespace wordbridge
