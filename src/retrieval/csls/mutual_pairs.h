#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "retrieval/csls/csls_memory.h"
#include "search/two_sided_search.h"
#include "space/neighborhood_means.h"
#include "space/unit_rows.h"
#include "wordbridge/lexicon.h"

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

/// The pairs of frequent words that are each other's best by CSLS, among all words: what refinement learns from. The
/// same as those of the full statistics, for less where the frequent words are few.
///
/// The mean score of a word with any k words of the other side is at most that with its k nearest, a(x) or b(y), and
/// makes the scores of a pair upper bounds. So only words that may be in such a pair, or come between, need their exact
/// means (SideMeans):
///   1. Lower bounds of all means, by words that were near at the last call, or by clusters
///      (search/pruning/cluster_bounds.h).
///   2. The nearest frequent words of each frequent one. Words that are each other's best by upper bounds are probably
///      a pair, and get their exact means; so does the best of a word that has no other to compare with.
///   3. So do other pairs of frequent words that may score no less for both of their words, until there are none. For
///      few words such pairs can be beyond the lists of 2 (UnlistedBound), where a range search finds them.
///   4. Any word whose upper bound is above the score of a pair that is left gets its exact mean, and may beat it.
class MutualPairs {
 public:
  /// `words`: how many of each side are frequent; `k`: neighbors of CSLS.
  MutualPairs(std::size_t words, std::size_t k) : words_(words), k_(k) {}

  /// Whether this is less work than all statistics, and words with a vector are enough for it.
  bool suits(const UnitRows& source, const UnitRows& target) const;

  /// By ascending source word. `targets`: a search over the target words, which serves several calls where these stand
  /// still. Sooner where the words were near the same ones at the last call. nullopt if the bounds tell too little:
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
