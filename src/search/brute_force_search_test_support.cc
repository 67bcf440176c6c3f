#include "search/brute_force_search_test_support.h"

#include <algorithm>

#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

Neighbors BruteForceSearch::search(ConstMatrixView queries, std::size_t k) const {
  if (queries.cols() != table_.cols()) throw UsageError("queries and table differ in dimension");
  const std::vector<std::uint32_t> eligible = rows_not_zero(table_);
  Neighbors result;
  result.queries = queries.rows();
  result.found = std::min(k, eligible.size());
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    Context::poll();
    struct Pair {
      float score;
      std::uint32_t id;
    };
    std::vector<Pair> pairs;
    pairs.reserve(eligible.size());
    for (const std::uint32_t id : eligible)
      pairs.push_back({exact_score(queries.row(i).data(), table_.row(id).data(), table_.cols()), id});
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.score > b.score; });
    for (std::size_t j = 0; j < result.found; ++j) {
      result.ids.push_back(pairs[j].id);
      result.scores.push_back(pairs[j].score);
    }
  }
  return result;
}

std::optional<RangeSearchResult> BruteForceSearch::range_search(ConstMatrixView queries,
                                                                std::span<const double> thresholds,
                                                                std::span<const float> offsets,
                                                                std::size_t most) const {
  if (queries.cols() != table_.cols()) throw UsageError("queries and table differ in dimension");
  const std::vector<std::uint32_t> eligible = rows_not_zero(table_);
  RangeSearchResult result{{0}, {}};
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    Context::poll();
    for (const std::uint32_t id : eligible) {
      const float score = exact_score(queries.row(i).data(), table_.row(id).data(), table_.cols());
      const double offset = offsets.empty() ? 0.0 : double{offsets[id]};
      if (score >= thresholds[i] + offset) result.rows.push_back({score, id});
    }
    result.starts.push_back(result.rows.size());
  }
  if (result.rows.size() > most) return std::nullopt;
  return result;
}

}  // namespace wordbridge
