#include "retrieval/csls/pruning.h"

#include <algorithm>
#include <utility>

#include "parallel/thread_pool.h"
#include "retrieval/ranked_targets.h"
#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr std::size_t kLeastPortion = 64;  // rows that are worth a search

}  // namespace

void prune_targets(std::vector<OpenTarget>& open, double threshold) {
  std::erase_if(open, [=](const OpenTarget& target) { return target.upper_bound < threshold; });
}

void sort_by_upper_bound(std::vector<OpenTarget>& open) {
  std::sort(open.begin(), open.end(), [](const OpenTarget& a, const OpenTarget& b) {
    return a.upper_bound > b.upper_bound || (a.upper_bound == b.upper_bound && a.id < b.id);
  });
}

void share_bounds(OpenTargets& open, MeanBounds& bounds) {
  for (const auto& targets : open)
    for (const OpenTarget& target : targets) {
      bounds.mean[target.id] = std::max(bounds.mean[target.id], float_below(target.mean));
      bounds.kth_score[target.id] = std::max(bounds.kth_score[target.id], target.kth_score);
    }
  ThreadPool::current().for_chunks(open.size(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i)
      for (OpenTarget& target : open[i])
        target.upper_bound -= std::max(0.0, double{bounds.mean[target.id]} - target.mean);
  });
}

void refine_in_portions(OpenTargets& open, std::vector<TopK<double>>& lists, std::size_t portions,
                        const std::function<void(std::vector<WordId> targets)>& learn,
                        const std::function<std::optional<double>(std::size_t query, WordId target)>& score) {
  const std::size_t queries = open.size();
  for (std::size_t portion = 1 + kLeastPortion / queries; portions > 0; portion *= 2, --portions) {
    std::vector<WordId> wanted;
    for (std::size_t i = 0; i < queries; ++i) {
      prune_targets(open[i], lists[i].threshold());
      for (std::size_t j = 0; j < std::min(portion, open[i].size()); ++j) wanted.push_back(open[i][j].id);
    }
    if (wanted.empty()) return;
    learn(std::move(wanted));
    for (std::size_t i = 0; i < queries; ++i)
      std::erase_if(open[i], [&](const OpenTarget& target) {
        const std::optional<double> exact = score(i, target.id);
        if (exact) lists[i].offer(*exact, target.id);
        return exact.has_value();
      });
  }
  for (std::size_t i = 0; i < queries; ++i) prune_targets(open[i], lists[i].threshold());
}

}  // namespace wordbridge
