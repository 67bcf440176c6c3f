#include "search/range_search.h"

#include <atomic>

#include "parallel/thread_pool.h"

namespace wordbridge {

std::optional<RangeSearchResult> collect_range_matches(
    std::size_t queries, std::size_t units, std::size_t chunk, std::size_t most,
    const std::function<void(std::size_t begin, std::size_t end, std::vector<RangeMatch>& matches)>& task) {
  std::vector<std::vector<RangeMatch>> parts((units + chunk - 1) / chunk);
  std::atomic<std::size_t> total = 0;
  ThreadPool::current().for_chunks(units, chunk, [&](std::size_t begin, std::size_t end, int) {
    if (total > most) return;
    std::vector<RangeMatch>& matches = parts[begin / chunk];
    task(begin, end, matches);
    total += matches.size();
  });
  if (total > most) return std::nullopt;

  RangeSearchResult result;
  result.starts.resize(queries + 1);
  for (const auto& part : parts)
    for (const RangeMatch& match : part) ++result.starts[match.query + 1];
  for (std::size_t i = 0; i < queries; ++i) result.starts[i + 1] += result.starts[i];
  result.rows.resize(total);
  std::vector<std::size_t> next(result.starts.begin(), result.starts.end() - 1);
  for (auto& part : parts) {
    for (const RangeMatch& match : part) result.rows[next[match.query]++] = match.row;
    std::vector<RangeMatch>().swap(part);
  }
  return result;
}

}  // namespace wordbridge
