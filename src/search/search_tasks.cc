#include "search/search_tasks.h"

#include <algorithm>
#include <utility>

#include "parallel/thread_pool.h"

namespace wordbridge {

namespace {

/// The lists of a block of queries hold at most this many entries, so that temporaries stay small for any k.
constexpr std::size_t kListEntries = std::size_t{1} << 20;

std::size_t divided_up(std::size_t count, std::size_t block) { return (count + block - 1) / block; }

/// A block a little smaller, if then all threads have the same number of them.
std::size_t evened(const SearchCut& cut, std::size_t block) {
  const auto threads = static_cast<std::size_t>(ThreadPool::current().size());
  const std::size_t blocks = divided_up(divided_up(cut.queries, block), threads) * threads;
  const std::size_t smaller = divided_up(cut.queries, blocks);
  return 4 * smaller >= 3 * block ? smaller : block;
}

}  // namespace

void store(TopK<float> best, std::size_t query, Neighbors& result) {
  std::size_t at = query * result.found;
  for (const ScoredRow& row : best.take_sorted()) {
    result.ids[at] = row.id;
    result.scores[at++] = row.score;
  }
}

Neighbors run_search_tasks(SearchCut cut, std::size_t found,
                           const std::function<void(const SearchTask&, std::span<TopK<float>> best)>& task) {
  Neighbors result;
  result.queries = cut.queries;
  result.found = found;
  if (cut.queries == 0 || found == 0) return result;
  result.ids.resize(cut.queries * found);
  result.scores.resize(cut.queries * found);

  ThreadPool& pool = ThreadPool::current();
  const std::size_t wanted = pool.size() == 1 ? 1 : 6 * static_cast<std::size_t>(pool.size());
  const std::size_t even = std::clamp(divided_up(cut.queries, wanted), cut.least_block, cut.query_block);
  const std::size_t block = evened(cut, std::clamp<std::size_t>(kListEntries / found, 1, even));
  const std::size_t blocks = divided_up(cut.queries, block);
  // Ranges whose lists of all queries would not fit either are not worth it.
  const std::size_t most =
      std::min(cut.units / std::max<std::size_t>(1, cut.least_units),
               kListEntries / std::max<std::size_t>(1, std::min(cut.queries, wanted * block) * found));
  const std::size_t ranges =
      std::clamp<std::size_t>(divided_up(divided_up(wanted, 3), blocks), 1, std::max<std::size_t>(1, most));

  std::vector<TopK<float>> parts(ranges > 1 ? ranges * cut.queries : 0, TopK<float>(found));
  pool.for_chunks(blocks * ranges, 1, [&](std::size_t number, std::size_t, int worker) {
    const std::size_t begin = number / ranges * block, end = std::min(begin + block, cut.queries);
    const std::size_t range = number % ranges;
    const SearchTask part{begin, end, cut.units * range / ranges, cut.units * (range + 1) / ranges, worker};
    if (ranges > 1) {
      task(part, {parts.data() + range * cut.queries + begin, end - begin});
    } else {
      std::vector<TopK<float>> best(end - begin, TopK<float>(found));
      task(part, best);
      for (std::size_t i = begin; i < end; ++i) store(std::move(best[i - begin]), i, result);
    }
  });
  if (ranges > 1)
    pool.for_chunks(cut.queries, 64, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t range = 1; range < ranges; ++range)
          for (const ScoredRow& row : parts[range * cut.queries + i].take_sorted()) parts[i].offer(row.score, row.id);
        store(std::move(parts[i]), i, result);
      }
    });
  return result;
}

}  // namespace wordbridge
