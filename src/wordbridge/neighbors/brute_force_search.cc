#include "wordbridge/neighbors/brute_force_search.h"

#include <algorithm>

#include "wordbridge/base/error.h"

namespace wordbridge {

Neighbors BruteForceSearch::search(ConstMatrixView queries, std::size_t k) const {
  if (queries.cols() != table_.cols()) throw UsageError("queries and table differ in dimension");
  std::vector<std::uint32_t> eligible;
  for (std::size_t j = 0; j < table_.rows(); ++j) {
    const auto row = table_.row(j);
    if (std::any_of(row.begin(), row.end(), [](float value) { return value != 0; }))
      eligible.push_back(static_cast<std::uint32_t>(j));
  }
  Neighbors result;
  result.queries = queries.rows();
  result.found = std::min(k, eligible.size());
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    struct Pair {
      float score;
      std::uint32_t id;
    };
    std::vector<Pair> pairs;
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

}  // namespace wordbridge
