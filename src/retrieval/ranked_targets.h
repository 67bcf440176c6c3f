#pragma once
#include <cassert>
#include <cstddef>
#include <span>
#include <utility>

#include "search/neighbor_search.h"
#include "search/top_k.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

/// Ranking is cut into tasks of so many queries.
inline constexpr std::size_t kQueriesOfTask = 64;

/// The best targets of a query, by CSLS and other scores in double.
using RankedTargets = TopK<double>;

/// The lists of all queries, `found` targets in each.
inline Candidates to_candidates(std::span<const RankedTargets> lists, std::size_t found) {
  Candidates candidates;
  candidates.queries = lists.size();
  candidates.found = found;
  candidates.targets.reserve(lists.size() * found);
  candidates.scores.reserve(lists.size() * found);
  for (const RankedTargets& list : lists) {
    assert(list.size() == found);
    for (const RankedTargets::Entry& entry : list.sorted()) {
      candidates.targets.push_back(entry.id);
      candidates.scores.push_back(entry.score);
    }
  }
  return candidates;
}

/// Neighbors as translations, with their scores.
inline Candidates to_candidates(Neighbors neighbors) {
  return {
      neighbors.queries, neighbors.found, std::move(neighbors.ids), {neighbors.scores.begin(), neighbors.scores.end()}};
}

}  // namespace wordbridge
