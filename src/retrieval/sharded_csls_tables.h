#pragma once
#include <cstddef>
#include <vector>

#include "retrieval/csls/bounds.h"
#include "retrieval/ranked_targets.h"
#include "search/sharded_search.h"
#include "space/sharded_space.h"

namespace wordbridge {

/// r_s of the words of one side, as far as it is known: the same on all processes, which learn it together.
class ShardedMeans {
 public:
  /// Over the k nearest words of the other side of the space, which must outlive this.
  ShardedMeans(const ShardedSpace& space, std::size_t k, Side side);

  bool known(WordId id) const { return known_[id] != 0; }
  /// Of a word that is known.
  double operator[](WordId id) const { return means_[id]; }
  std::size_t known_count() const { return known_count_; }
  std::size_t unknown_count() const { return means_.size() - known_count_; }
  /// Those of the given words that are not known.
  void learn(std::vector<WordId> ids);
  void learn_all();

 private:
  const ShardedRows& rows_;
  const ShardedSearch& others_;
  std::size_t k_;
  std::vector<double> means_;
  std::vector<std::uint8_t> known_;
  std::size_t known_count_ = 0;
};

/// What all queries of CSLS over tables that are dealt out have in common.
struct ShardedCslsTables {
  ShardedCslsTables(const ShardedSpace& space, std::size_t neighbors, Side asking);

  const ShardedSearch& sources;  // those that ask
  const ShardedSearch& targets;
  RowShards shards;
  std::size_t k;
  ShardedMeans means;  // r_s of the targets
  MeanBounds bounds;   // of the own ones, by place

  ConstMatrixView own_targets() const { return targets.own().table(); }
  WordId number(std::size_t place) const { return static_cast<WordId>(shards.number(place)); }
  Communicator& communicator() const { return *targets.table().communicator; }
};

/// The best of all processes, from the best of each.
std::vector<RankedTargets> merge_lists(const std::vector<RankedTargets>& own, std::size_t count,
                                       Communicator& communicator);

}  // namespace wordbridge
