#pragma once
#include <span>
#include <vector>

#include "search/neighbor_search.h"
#include "space/csls_statistics.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// The nearest source words of some targets, and their mean cosines r_s: taken from the CSLS statistics as far as these
/// know them, else searched for. The bits are the same.
class BackwardLists {
 public:
  /// `targets`: ascending, distinct, none of them zero.
  BackwardLists(CslsStatistics& statistics, std::vector<WordId> targets);

  /// How many there are for each target.
  std::size_t found() const { return found_; }
  std::span<const WordId> words_of(WordId target) const;
  std::span<const float> cosines_of(WordId target) const;
  double mean_of(WordId target) const;

 private:
  std::size_t place_of(WordId target) const;
  NeighborLists lists() const { return known_ != nullptr ? known_->of_target : searched_; }

  std::vector<WordId> targets_;
  const TwoSidedLists* known_;
  Neighbors searched_;  // by place among the targets, where nothing is known
  std::size_t found_;
};

}  // namespace wordbridge
