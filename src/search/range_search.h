#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "search/top_k.h"

namespace wordbridge {

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

}  // namespace wordbridge
