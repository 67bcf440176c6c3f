#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "linalg/rows.h"
#include "search/neighbor_search.h"
#include "search/two_sided_search.h"
#include "search/warm_start/moving_search.h"

namespace wordbridge {

/// The k best of a whole table from the k best of each part of it: scores are exact and ties go by number, so these are
/// the neighbors that a search over the whole table gives, bit for bit. `own` has the places of own rows for ids (or
/// MovingSearch::kNoRow); the result their numbers. All processes give the same queries in the same order.
Neighbors merge_neighbors(const Neighbors& own, std::size_t k, Communicator& communicator);

/// Exact search over a table that is whole or sharded: every process searches its own rows for all queries. Where it is
/// sharded, all processes make the same calls with the same queries, each from one thread, and get the same answers. A
/// copy is as good as the original.
class ShardedSearch {
 public:
  /// Over a whole table. The search must outlive this.
  explicit ShardedSearch(const NeighborSearch& search) : own_(&search) {}
  /// `own_search` is over the own rows of `table`, and must outlive this.
  ShardedSearch(const NeighborSearch& own_search, const ShardedRows& table) : own_(&own_search), table_(table) {}

  Neighbors search(ConstMatrixView queries, std::size_t k) const;
  /// As NeighborSearch::search_above(). The bounds are of the whole table, so that they help where one process has it.
  Neighbors search_above(ConstMatrixView queries, std::size_t k, std::span<const float> lower_bounds) const;
  /// Over the own rows, which have their places for ids.
  const NeighborSearch& own() const { return *own_; }
  bool is_whole() const { return !table_ || table_->is_whole(); }
  /// Of a whole table the rows are brought here, where they were not read yet.
  ShardedRows table() const { return table_ ? *table_ : ShardedRows::whole(own_->table()); }

 private:
  const NeighborSearch* own_;
  std::optional<ShardedRows> table_;  // nothing: that of the search
};

/// two_sided_search() over tables that are whole or sharded. Every process takes the target rows of each in turn, and
/// searches them and its own source rows: no pair is looked at twice.
TwoSidedNeighbors two_sided_search(const ShardedRows& source, const ShardedRows& target, std::size_t k,
                                   const TwoSidedNeighbors* before = nullptr);

/// Queries that come again, in a table that is sharded: every process remembers candidates among its own rows. The
/// rows of all neighbors of the last call are held by everybody, who fetches only those that the call before did not
/// have: 4 d bytes for each of them, k a query at most, and 4 bytes for every row of the table. How the neighbors of
/// the last call score now bounds the k-th best score of the whole table, so that nobody looks for what only its own
/// rows would make one of the k best.
class ShardedMovingSearch final : public MovingSearch {
 public:
  /// `own` is over the own rows of the table.
  ShardedMovingSearch(std::unique_ptr<MovingSearch> own, const ShardedRows& table);

  Neighbors search(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k) override;
  /// Of a neighbor of the last call.
  std::span<const float> row(std::uint32_t id) const override { return rows_.row(places_[id]); }
  std::size_t dimension() const override { return table_.own.cols(); }
  /// By this process.
  std::uint64_t saved_scans() const override { return own_->saved_scans(); }

 private:
  std::vector<float> floors(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k) const;
  void remember(std::span<const std::uint32_t> slots, const Neighbors& found);
  void hold(std::vector<std::uint32_t> ids);
  void grow(std::size_t rows);

  std::unique_ptr<MovingSearch> own_;
  ShardedRows table_;
  std::vector<std::vector<std::uint32_t>> neighbors_;  // of each slot in its last call
  std::vector<std::uint32_t> held_;                    // rows that are here, ascending
  std::vector<std::uint32_t> places_;                  // where, by row; kNoRow: elsewhere
  std::vector<std::uint32_t> free_;                    // places
  Matrix rows_;
};

}  // namespace wordbridge
