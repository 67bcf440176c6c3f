#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "search/top_k.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

class MovingSearch;

/// The rows that may reach a threshold, with upper bounds of their scores: for each query a part of `rows`, by
/// ascending id.
struct RangeSearchResult {
  std::vector<std::size_t> starts;  // one more than queries
  std::vector<ScoredRow> rows;

  std::span<const ScoredRow> of(std::size_t query) const {
    return {rows.data() + starts[query], starts[query + 1] - starts[query]};
  }
};

/// One of them, as a task finds it.
struct RangeMatch {
  std::uint32_t query;
  ScoredRow row;
};

/// Cuts `units` into ranges of `chunk`, calls task(begin, end, matches) for each on the shared thread pool, and puts
/// the matches together: those of a query in the order of the ranges, and within one as the task added them. Nothing
/// where they are more than `most`.
std::optional<RangeSearchResult> collect_range_matches(
    std::size_t queries, std::size_t units, std::size_t chunk, std::size_t most,
    const std::function<void(std::size_t begin, std::size_t end, std::vector<RangeMatch>& matches)>& task);

/// Sorts by ascending id. `memory` is for use between calls: range searches sort many lists of hundreds of rows.
void sort_by_id(std::span<ScoredRow> rows, std::vector<ScoredRow>& memory);

/// The k rows of a table with the largest scores for each query. Row-major: `found` entries a query (min(k, eligible
/// rows)), best first, ties by lower id.
struct Neighbors {
  std::size_t queries = 0;
  std::size_t found = 0;
  std::vector<std::uint32_t> ids;
  std::vector<float> scores;

  std::span<const std::uint32_t> ids_of(std::size_t query) const { return {ids.data() + query * found, found}; }
  std::span<const float> scores_of(std::size_t query) const { return {scores.data() + query * found, found}; }
};

/// The same where somebody else keeps them.
struct NeighborLists {
  NeighborLists() = default;
  NeighborLists(const Neighbors& kept)
      : queries(kept.queries), found(kept.found), ids(kept.ids.data()), scores(kept.scores.data()) {}
  NeighborLists(std::size_t query_count, std::size_t each, const std::uint32_t* first_id, const float* first_score)
      : queries(query_count), found(each), ids(first_id), scores(first_score) {}

  std::size_t queries = 0;
  std::size_t found = 0;
  const std::uint32_t* ids = nullptr;
  const float* scores = nullptr;

  std::span<const std::uint32_t> ids_of(std::size_t query) const { return {ids + query * found, found}; }
  std::span<const float> scores_of(std::size_t query) const { return {scores + query * found, found}; }
};

/// The score of a pair, everywhere: the dot product accumulated in double in one fixed lane order and rounded to float.
/// Products of floats are exact in double, so every kernel gives the same bits. Lane l (of 16) sums the elements
/// i = l mod 16 in ascending order; then lanes are added pairwise: l with l+8, l+4, l+2, l+1. Double never overflows
/// here, the rounding to float may: such scores are plus or minus infinity, and tie. A score is never -0.
float exact_score(const float* a, const float* b, std::size_t dimension);

/// The rows of a table that may be neighbors, in order.
inline std::vector<std::uint32_t> rows_not_zero(ConstMatrixView table) {
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < table.rows(); ++i)
    if (!is_zero(table.row(i))) ids.push_back(static_cast<std::uint32_t>(i));
  return ids;
}

/// Exact search for the largest scores. All implementations return the same ids, in the same order, with the same score
/// bits. Zero rows are never neighbors of anything, so `found` is at most the number of rows that are not zero. The
/// table given to the constructor must outlive the search and stay unchanged. NaN never enters: the readers reject it.
class NeighborSearch {
 public:
  virtual ~NeighborSearch() = default;
  /// Safe to call from several threads at once on the same object, unless the implementation says otherwise.
  virtual Neighbors search(ConstMatrixView queries, std::size_t k) const = 0;
  /// The same, faster if lower_bounds[query] is not far below the k-th best score. It must not be above it; where there
  /// are fewer than k rows, not above the least.
  virtual Neighbors search_above(ConstMatrixView queries, std::size_t k, std::span<const float> lower_bounds) const {
    static_cast<void>(lower_bounds);
    return search(queries, k);
  }
  /// Range search: for each query every row, not zero, whose score is at least thresholds[query] + offsets[row], and
  /// maybe some that only come near: their scores are upper bounds. No offsets: all are 0. nullopt if the rows are
  /// more than `most` in all.
  virtual std::optional<RangeSearchResult> range_search(ConstMatrixView queries, std::span<const double> thresholds,
                                                        std::span<const float> offsets, std::size_t most) const = 0;
  virtual ConstMatrixView table() const = 0;
  /// The fastest search over the same table for queries that come again and again, moved a little each time
  /// (warm_start/moving_search.h); `parts`: of how many tables this one is one. This must outlive it.
  virtual std::unique_ptr<MovingSearch> make_moving(std::size_t parts = 1) const;
};

/// An index costs about as much as this many plain queries, whatever the size of the table: both grow with it.
inline constexpr std::size_t kQueriesWorthAnIndex = 600;

/// The fastest exact search over `table` on this machine for about so many queries in all: an index pays off from some
/// hundreds on. The table must outlive it and stay unchanged.
std::unique_ptr<NeighborSearch> make_search(ConstMatrixView table,
                                            std::size_t expected_queries = std::numeric_limits<std::size_t>::max());

/// The fastest for queries that come again and again, moved a little each time (make_moving()).
std::unique_ptr<NeighborSearch> make_search_for_moving(ConstMatrixView table);

/// Whether this machine has instructions for products of 8-bit codes. Without, BLAS is faster than an int8 filter.
bool int8_filter_is_fast();

}  // namespace wordbridge
