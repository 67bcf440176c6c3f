#pragma once
#include <memory>
#include <vector>

#include "linalg/rows.h"
#include "search/warm_start/moving_search.h"

namespace wordbridge {

/// Queries that come again, in a table that is dealt out: every process remembers candidates among its own rows. The
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
  std::uint64_t certified() const override { return own_->certified(); }

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
