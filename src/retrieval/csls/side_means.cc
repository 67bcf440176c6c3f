#include "retrieval/csls/side_means.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "parallel/thread_pool.h"
#include "search/kernels/kernel_choice.h"
#include "search/pruning/refine_candidates.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kWordsOfTask = 512;
/// Less than any mean of cosines.
constexpr double kLeastMean = -2;

}  // namespace

SideMeans::SideMeans(const UnitRows& words, const UnitRows& others, const NeighborSearch& search, std::size_t k,
                     NearestSources& near)
    : words_(words),
      near_(near),
      exact_(words.rows(), search, k),
      means_(words.size(), kLeastMean),
      kth_(words.size(), -std::numeric_limits<float>::infinity()) {
  ThreadPool::current().for_chunks(words.size(), kWordsOfTask, [&](std::size_t begin, std::size_t end, int) {
    Context::poll();
    bound(begin, end, others, k);
  });
}

void SideMeans::bound(std::size_t begin, std::size_t end, const UnitRows& others, std::size_t k) {
  std::vector<std::pair<WordId, WordId>> pairs;
  for (std::size_t i = begin; i < end; ++i) {
    const std::span<const WordId> near = near_.of(static_cast<WordId>(i));
    if (near.size() < k || std::ranges::any_of(near, [&](WordId id) { return others.is_zero(id); })) continue;
    for (const WordId id : near.first(k)) pairs.emplace_back(static_cast<WordId>(i), id);
  }
  const std::size_t d = words_.dimension();
  std::vector<float> scores(k);
  const auto row_at = [&](std::size_t i) { return others[pairs[i].second].data(); };
  visit_prefetched(pairs.size(), d, row_at, [&](std::size_t i) {
    const WordId word = pairs[i].first;
    scores[i % k] = kernels().score->exact_score(words_[word].data(), row_at(i), d);
    if ((i + 1) % k != 0) return true;
    std::ranges::sort(scores, std::greater<>());
    means_[word] = mean_score(scores);
    kth_[word] = scores.back();
    return true;
  });
}

double SideMeans::least() const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < means_.size(); ++i)
    if (!words_.is_zero(static_cast<WordId>(i))) least = std::min(least, means_[i]);
  return least;
}

void SideMeans::learn(std::vector<WordId> words) {
  exact_.learn(std::move(words), kth_, [&](WordId word, std::span<const WordId> nearest) {
    near_.add(word, nearest);
    means_[word] = exact_[word];
  });
}

}  // namespace wordbridge
