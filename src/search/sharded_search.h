#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "linalg/rows.h"
#include "search/neighbor_search.h"
#include "search/warm_start/moving_search.h"

namespace wordbridge {

/// The k best of a whole table from the k best of each part of it: scores are exact and ties go by number, so these are
/// the neighbors that a search over the whole table gives, bit for bit. `own` has the places of own rows for ids (or
/// MovingSearch::kNoRow); the result their numbers. All processes give the same queries in the same order.
Neighbors merge_neighbors(const Neighbors& own, std::size_t k, Communicator& communicator);

/// Exact search over a table that is sharded: every process searches its own rows for all queries. All processes make
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
