#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "retrieval/csls/bounds.h"
#include "search/neighbor_search.h"
#include "space/table_search.h"
#include "wordbridge/criterion.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// For each query at least k and at most `count` source words near it, the `first` nearest in front, as far as bounds
/// of their scores tell; fewer than k only where there are no more. Others would do, only that near ones make bounds
/// tight: so a sample of the words tells which score about `count` of them reach.
/// Where more than `most` words reach that score in all, an exact search takes its place.
std::vector<std::vector<WordId>> near_words(const ShardedSearch& sources, ConstMatrixView queries, std::size_t k,
                                            std::size_t first, std::size_t count, std::size_t most);

/// The k nearest source words of those targets whose r_s was computed here.
class NearestSources {
 public:
  explicit NearestSources(std::size_t targets) : begin_(targets), count_(targets) {}

  /// Takes the place of what was known of the target.
  void add(WordId target, std::span<const WordId> nearest);
  /// None of a target that was not added.
  std::span<const WordId> of(WordId target) const { return std::span(words_).subspan(begin_[target], count_[target]); }

 private:
  std::vector<WordId> words_;
  std::vector<std::uint32_t> begin_, count_;  // of each target
};

/// For each query the source words nearest to the targets near it, as far as these are known: those of most targets
/// first, then those of the nearest. Where that are fewer than k, the words `near` the query.
std::vector<std::vector<WordId>> source_pools(const Neighbors& targets, const NearestSources& known,
                                              const std::vector<std::vector<WordId>>& near, std::size_t k);

/// What lazy CSLS found out about some queries while the source words lay where one map puts them, for the same queries
/// under another one. The targets stand still. All of it is a start, and no answer depends on it: the mean of the
/// scores of a target to any k source words bounds its r_s, and those that were near it under one map are so under the
/// next.
struct CslsMemory {
  explicit CslsMemory(std::size_t targets) : nearest(targets) {}

  /// Whether it is about so many queries, with so many best targets each, and the source rows that are zero are still
  /// those: a zero row is near nothing.
  bool serves(std::size_t queries, std::size_t count, std::span<const WordId> zeros) const {
    return queries > 0 && best.queries == queries && best.found >= count && std::ranges::equal(zeros, zero_sources);
  }
  /// Leaves only what helps other queries under the same map.
  void forget_queries();

  std::vector<std::vector<WordId>> near;   // source words near each query
  std::vector<std::vector<WordId>> pools;  // source words near the targets near each query (source_pools())
  Neighbors top;                           // targets near each query
  Candidates best;                         // of each query, by CSLS
  std::vector<std::uint32_t> landmark_of;  // the query whose landmark bounds r_s of each target best
  NearestSources nearest;                  // of targets whose r_s was computed
  std::vector<WordId> zero_sources;
};

/// Raises the bounds of r_s under the present map by what is remembered: by the k nearest source words of each target
/// where they are known, by its landmark otherwise. `own_landmarks`: of the queries, under this map.
void raise_by_memory(const CslsBatch& batch, const CslsMemory& memory, ConstMatrixView own_landmarks,
                     MeanBounds& bounds);

}  // namespace wordbridge
