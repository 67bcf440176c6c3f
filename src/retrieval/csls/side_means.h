#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "retrieval/csls/source_pools.h"
#include "space/neighborhood_means.h"
#include "space/unit_rows.h"

namespace wordbridge {

/// The words of one side, and what is known of their mean scores with their k nearest words of the other side: exact
/// where it was learned, elsewhere lower bounds.
///
/// The scores with any k words that have a vector, sorted, are no larger than the k best, and neither is their mean,
/// added in the same order.
class SideMeans {
 public:
  /// `search`: over the words of the other side. `near`: k of these for each word, or none, near ones at best;
  /// afterwards the nearest of those whose means were learned. All must outlive this.
  SideMeans(const UnitRows& words, const UnitRows& others, const NeighborSearch& search, std::size_t k,
            NearestSources& near);

  const UnitRows& words() const { return words_; }
  /// Exact where it is known, else a lower bound.
  double operator[](WordId word) const { return means_[word]; }
  bool known(WordId word) const { return exact_.known(word); }
  std::span<const double> all() const { return means_; }
  /// The least of the words with a vector; infinity where there are none.
  double least() const;
  /// The k nearest words of one that is known, best first.
  std::span<const WordId> nearest(WordId word) const { return near_.of(word); }

  /// Repetitions, and words that are known, do no harm.
  void learn(std::vector<WordId> words);

 private:
  void bound(std::size_t begin, std::size_t end, const UnitRows& others, std::size_t k);

  const UnitRows& words_;
  NearestSources& near_;
  NeighborhoodMeans exact_;
  std::vector<double> means_;
  std::vector<float> kth_;  // at most the k-th best score
};

}  // namespace wordbridge
