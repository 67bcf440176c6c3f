#include "search/sharded/sharded_search.h"

#include <algorithm>
#include <vector>

#include "parallel/thread_pool.h"
#include "search/top_k.h"
#include "search/warm_start/moving_search.h"

namespace wordbridge {

namespace {

constexpr std::size_t kQueriesOfTask = 256;

}  // namespace

Neighbors merge_neighbors(const Neighbors& own, std::size_t k, Communicator& communicator) {
  const RowShards shards(communicator);
  std::vector<ScoredRow> mine(own.ids.size());
  for (std::size_t i = 0; i < mine.size(); ++i)
    mine[i] = {own.scores[i], own.ids[i] == MovingSearch::kNoRow
                                  ? MovingSearch::kNoRow
                                  : static_cast<std::uint32_t>(shards.number(own.ids[i]))};
  const auto all = communicator.all_gather_values<ScoredRow>(mine);

  Neighbors result;
  result.queries = own.queries;
  if (own.queries == 0) return result;
  std::size_t offered = 0;  // to each query
  for (const auto& part : all) offered += part.size() / own.queries;
  result.found = std::min(k, offered);
  result.ids.resize(result.queries * result.found);
  result.scores.resize(result.ids.size());
  ThreadPool::current().for_chunks(own.queries, kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    std::vector<ScoredRow> rows;
    for (std::size_t query = begin; query < end; ++query) {
      rows.clear();
      for (const auto& part : all) {
        const std::size_t found = part.size() / own.queries;
        rows.insert(rows.end(), part.begin() + static_cast<std::ptrdiff_t>(query * found),
                    part.begin() + static_cast<std::ptrdiff_t>((query + 1) * found));
      }
      std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(result.found), rows.end(),
                        [](const ScoredRow& a, const ScoredRow& b) { return a.better_than(b); });
      for (std::size_t i = 0; i < result.found; ++i) {
        result.ids[query * result.found + i] = rows[i].id;
        result.scores[query * result.found + i] = rows[i].score;
      }
    }
  });
  return result;
}

}  // namespace wordbridge
