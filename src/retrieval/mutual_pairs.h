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
/// The mean score of a word with any k words of the other side is at most that with its k nearest, a(x) or b(y), and
/// makes the scores of a pair upper bounds. So only words that may be in such a pair, or come between, need their exact
/// means (csls/side_means.h):
///   1. Lower bounds of all means, by words that were near at the last call, or by clusters
///      (search/pruning/cluster_bounds.h).
///   2. The nearest frequent words of each frequent one. Words that are each other's best by upper bounds are probably
///      a pair, and get their exact means; so does the best of a word that has no other to compare with.
///   3. So do other pairs of frequent words that may score no less for both of their words, until there are none. For
///      few words such pairs can be beyond the lists of 2 (csls/unlisted_bound.h), where a range search finds them.
///   4. Any word whose upper bound is above the score of a pair that is left gets its exact mean, and may beat it.
class MutualPairs {
 public:
  /// `words`: how many of each side are frequent; `k`: neighbors of CSLS.
  MutualPairs(std::size_t words, std::size_t k) : words_(words), k_(k) {}

  /// Whether this is less work than all statistics, and words with a vector are enough for it.
  bool suits(const UnitRows& source, const UnitRows& target) const;

  /// By ascending source word. `targets`: a search over the target words, which serves several calls where these stand
  /// still. Sooner where the words were near the same ones at the last call. Nothing where the bounds tell too little:
  /// where very many words are alike.
  std::optional<std::vector<Lexicon::Pair>> find(const UnitRows& source, const UnitRows& target,
                                                 const NeighborSearch& targets);

 private:
  void look_around(const UnitRows& source, const UnitRows& target);

  std::size_t words_, k_;
  // Of the last call: words of the other side that were near each word, and lists of the frequent ones.
  NearestSources near_sources_{0}, near_targets_{0};
  std::optional<TwoSidedNeighbors> frequent_;
  std::size_t sources_ = 0, targets_ = 0;  // words that these are of
};

}  // namespace wordbridge
