#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "retrieval/csls/source_pools.h"
#include "search/two_sided_search.h"
#include "space/unit_rows.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {

/// The pairs of frequent words that are each other's best by CSLS, among all words: what refinement learns from. The
/// same as those of the full statistics, for less where the frequent words are few.
///
/// Only pairs with a frequent word are searched. So the means a(x) and b(y) of the frequent words are exact, and those
/// of others are lower bounds, which make their scores upper bounds:
///   1. Of each frequent word the best frequent one: by the lists of both (csls/unlisted_bound.h), or by a range
///   search.
///   2. Pairs that are mutual so far. Most words drop out here, without a look at the others.
///   3. A rare word whose upper bound is above the score of such a pair gets its exact mean, and may beat it. Ties are
///      for the lower id, so for the frequent word. The words that it is near to bound its mean at the next call.
class MutualPairs {
 public:
  /// `words`: how many of each side are frequent; `k`: neighbors of CSLS.
  MutualPairs(std::size_t words, std::size_t k) : words_(words), k_(k) {}

  /// Whether this is less work than all statistics, and words with a vector are enough for it.
  bool suits(const UnitRows& source, const UnitRows& target) const;

  /// By ascending source word. Sooner where the words were near the same ones at the last call. Nothing where the
  /// lists tell too little: where very many words are alike.
  std::optional<std::vector<Lexicon::Pair>> find(const UnitRows& source, const UnitRows& target);

 private:
  std::size_t words_, k_;
  // Of the last call: lists, and the nearest words of rare ones whose means had to be exact.
  std::optional<TwoSidedNeighbors> nearest_;
  NearestSources rare_sources_{0}, rare_targets_{0};
};

}  // namespace wordbridge
