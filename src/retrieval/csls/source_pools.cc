#include "retrieval/csls/source_pools.h"

#include <algorithm>

#include "parallel/thread_pool.h"
#include "retrieval/ranked_targets.h"

namespace wordbridge {

namespace {

/// The words of a list with repetitions, those that are in it most often first, then those that come first.
std::vector<WordId> by_frequency(std::span<const WordId> list) {
  struct Entry {
    WordId id;
    std::uint32_t position, times;
  };
  std::vector<Entry> entries;
  for (const WordId id : list) entries.push_back({id, static_cast<std::uint32_t>(entries.size()), 1});
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.id < b.id || (a.id == b.id && a.position < b.position); });
  std::size_t kept = 0;
  for (const Entry& entry : entries) {
    if (kept > 0 && entries[kept - 1].id == entry.id) {
      ++entries[kept - 1].times;
    } else {
      entries[kept++] = entry;
    }
  }
  entries.resize(kept);
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.times > b.times || (a.times == b.times && a.position < b.position);
  });
  std::vector<WordId> result;
  result.reserve(entries.size());
  for (const Entry& entry : entries) result.push_back(entry.id);
  return result;
}

}  // namespace

void NearestSources::add(WordId target, std::span<const WordId> nearest) {
  if (nearest.size() > count_[target]) {
    begin_[target] = static_cast<std::uint32_t>(words_.size());
    words_.resize(words_.size() + nearest.size());
  }
  count_[target] = static_cast<std::uint32_t>(nearest.size());
  std::ranges::copy(nearest, words_.begin() + begin_[target]);
}

std::vector<std::vector<WordId>> source_pools(const Neighbors& targets, const NearestSources& known,
                                              const std::vector<std::vector<WordId>>& near, std::size_t k) {
  std::vector<std::vector<WordId>> pools(targets.queries);
  ThreadPool::current().for_chunks(targets.queries, kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    std::vector<WordId> words;
    for (std::size_t i = begin; i < end; ++i) {
      words.clear();
      for (const WordId target : targets.ids_of(i)) {
        const std::span<const WordId> nearest = known.of(target);
        words.insert(words.end(), nearest.begin(), nearest.end());
      }
      pools[i] = by_frequency(words);
      if (pools[i].size() < k) pools[i] = near[i];  // others have computed r_s of the targets, and kept no neighbors
    }
  });
  return pools;
}

}  // namespace wordbridge
