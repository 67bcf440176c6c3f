#pragma once
#include <cstdint>
#include <span>

#include "linalg/rows.h"
#include "search/neighbor_search.h"

namespace wordbridge {

/// The k best of a whole table from the k best of each part of it: scores are exact and ties go by number, so these are
/// the neighbors that a search over the whole table gives, bit for bit. `own` has the places of own rows for ids (or
/// MovingSearch::kNoRow); the result their numbers. All processes give the same queries in the same order.
Neighbors merge_neighbors(const Neighbors& own, std::size_t k, Communicator& communicator);

/// Exact search over a table that is dealt out: every process searches its own rows for all queries. All processes make
/// the same calls with the same queries, each from one thread, and get the same answers.
class ShardedSearch {
 public:
  /// `own_search` is over the own rows of `table`; both must outlive this.
  ShardedSearch(const NeighborSearch& own_search, const ShardedRows& table) : own_(own_search), table_(table) {}

  Neighbors search(ConstMatrixView queries, std::size_t k) const {
    return merge_neighbors(own_.search(queries, k), k, *table_.communicator);
  }
  const NeighborSearch& own() const { return own_; }
  const ShardedRows& table() const { return table_; }

 private:
  const NeighborSearch& own_;
  const ShardedRows& table_;
};

}  // namespace wordbridge
