#pragma once
#include <functional>
#include <span>

#include "search/neighbor_search.h"
#include "search/top_k.h"

namespace wordbridge {

/// Writes the list of a query to its place in a result that has room for all.
void store(TopK<float> best, std::size_t query, Neighbors& result);

/// A part of the pairs of queries and rows: queries [query_begin, query_end), and [unit_begin, unit_end) of the units
/// into which a search cuts its rows.
struct SearchTask {
  std::size_t query_begin, query_end;
  std::size_t unit_begin, unit_end;
  int worker;  // no two tasks run at once with the same worker
};

/// Into how many tasks the pairs are cut.
struct SearchCut {
  std::size_t queries;      // of the whole search
  std::size_t units;        // of the whole table
  std::size_t query_block;  // at most so many queries a task
  std::size_t least_block;  // fewer are not worth a task either
  std::size_t least_units;  // a range of fewer units is not worth a task
};

/// Runs `task` over all pairs on the shared thread pool and merges what it finds: it puts the best `found` rows of its
/// units for its queries into `best`, one list a query, empty at first. Blocks of queries are the tasks; where these
/// are too few to keep all threads busy, smaller blocks, and then ranges of units as well. The result is the same for
/// any cut.
Neighbors run_search_tasks(SearchCut cut, std::size_t found,
                           const std::function<void(const SearchTask&, std::span<TopK<float>> best)>& task);

}  // namespace wordbridge
