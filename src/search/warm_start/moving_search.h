#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "search/neighbor_search.h"

namespace wordbridge {

/// Exact neighbors in a fixed table of queries that come again and again, moved a little each time: in training, the
/// mapped words of the lexicon. Query `slot` keeps its number from call to call, so an implementation may remember
/// what it found; the answers never depend on what it remembers.
class MovingSearch {
 public:
  virtual ~MovingSearch() = default;
  /// Row i of the result belongs to row i of `queries`, which is the present place of query slots[i]. Slots ascend.
  virtual Neighbors search(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k) = 0;
  /// The same where rows with scores below floors[i] do not matter. They may be missing, and then others that score
  /// less stand in their place, or kNoRow with minus infinity.
  virtual Neighbors search_above(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k,
                                 std::span<const float> floors) {
    static_cast<void>(floors);
    return search(queries, slots, k);
  }
  static constexpr std::uint32_t kNoRow = std::numeric_limits<std::uint32_t>::max();
  /// A row of the table: that of a neighbor which the last call found, at least.
  virtual std::span<const float> row(std::uint32_t id) const = 0;
  virtual std::size_t dimension() const = 0;
  /// How many scans of the table the last call saved: the share of the rows that were pruned for each query by what was
  /// known from earlier calls, summed up over all queries.
  virtual std::uint64_t saved_scans() const = 0;
  /// Begins with what another one over the same search remembers: query i is its query slots[i], or none of them
  /// (kNoSlot). `moved`: the queries are elsewhere, not a common step away, so that only their neighbors are of use.
  /// Does nothing where there is nothing to remember.
  virtual void take_over(const MovingSearch& other, std::span<const std::uint32_t> slots, bool moved) {
    static_cast<void>(other);
    static_cast<void>(slots);
    static_cast<void>(moved);
  }
  static constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();
};

/// Remembers nothing: every query is searched anew.
class RepeatedSearch : public MovingSearch {
 public:
  /// `search` must outlive this.
  explicit RepeatedSearch(const NeighborSearch& search) : search_(search) {}

  Neighbors search(ConstMatrixView queries, std::span<const std::uint32_t>, std::size_t k) override {
    return search_.search(queries, k);
  }
  std::span<const float> row(std::uint32_t id) const override { return search_.table().row(id); }
  std::size_t dimension() const override { return search_.table().cols(); }
  std::uint64_t saved_scans() const override { return 0; }

 private:
  const NeighborSearch& search_;
};

}  // namespace wordbridge
