#include "retrieval/gc/bounded_targets.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "retrieval/ranked_targets.h"

namespace wordbridge {

namespace {

constexpr std::size_t kFirstLevel = 4;  // times the targets wanted: the first rank up to which they are looked for
constexpr std::size_t kNextLevel = 4;   // times the last one: the next such rank
/// Ranks of the best are rarely more than this above their bounds.
constexpr std::size_t kReserve = 3, kReserveOf = 2;
/// Rows that a range search may find for all queries together: 64 MB.
constexpr std::size_t kMostTargetsFound = std::size_t{1} << 23;

}  // namespace

std::size_t BoundedTargets::first_level(std::size_t count) const {
  const auto levels = bounds_.levels();
  const auto first = std::ranges::lower_bound(levels, kFirstLevel * count) - levels.begin();
  return std::min(static_cast<std::size_t>(first), levels.size() - 1);
}

std::size_t BoundedTargets::level_after(std::size_t level) const {
  const auto levels = bounds_.levels();
  if (level + 1 == levels.size()) return levels.size();
  const auto next = std::ranges::lower_bound(levels, kNextLevel * levels[level]) - levels.begin();
  return std::min(static_cast<std::size_t>(next), levels.size() - 1);
}

bool BoundedTargets::seem_enough(std::span<const BoundedTarget> open, std::size_t count, std::size_t rank) {
  return open.size() >= count && kReserve * open[count - 1].least_rank < kReserveOf * rank;
}

std::span<const BoundedTarget> BoundedTargets::likely(std::span<const BoundedTarget> open, std::size_t count) {
  if (open.size() < count) return open;
  const std::size_t most = kReserve * open[count - 1].least_rank;
  const auto end =
      std::ranges::partition_point(open, [=](const BoundedTarget& own) { return kReserveOf * own.least_rank <= most; });
  return open.first(static_cast<std::size_t>(end - open.begin()));
}

std::vector<std::vector<BoundedTarget>> BoundedTargets::find(ConstMatrixView queries, std::span<const WordId> some,
                                                             std::size_t count, std::span<std::size_t> levels) const {
  std::vector<std::vector<BoundedTarget>> open(some.size());
  for (std::size_t level = 0; level < bounds_.levels().size(); ++level) {
    std::vector<WordId> ids;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < some.size(); ++i)
      if (levels[some[i]] == level) {
        ids.push_back(some[i]);
        places.push_back(i);
      }
    if (ids.empty()) continue;
    std::vector<std::vector<BoundedTarget>> found = below(level, gather_rows(queries, ids));
    const std::size_t next = level_after(level);
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (next == bounds_.levels().size() || seem_enough(found[i], count, bounds_.levels()[level]))
        open[places[i]] = std::move(found[i]);
      else
        levels[ids[i]] = next;
  }
  return open;
}

std::vector<std::vector<BoundedTarget>> BoundedTargets::below(std::size_t level, ConstMatrixView queries) const {
  const std::vector<double> thresholds(queries.rows(), 0.0);
  const std::optional<RangeSearchResult> found = targets_.range_search(
      queries, thresholds, bounds_.scores(level), std::max(kMostTargetsFound, targets_.table().rows()));
  if (!found) {  // too many for one search; those of a single query never are
    const std::size_t half = queries.rows() / 2;
    std::vector<std::vector<BoundedTarget>> open = below(level, queries.slice(0, half));
    for (std::vector<BoundedTarget>& own : below(level, queries.slice(half, queries.rows())))
      open.push_back(std::move(own));
    return open;
  }
  std::vector<std::vector<BoundedTarget>> open(queries.rows());
  ThreadPool::current().for_chunks(queries.rows(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t q = begin; q < end; ++q) open[q] = bound(queries.row(q), found->of(q));
  });
  return open;
}

BoundedTarget BoundedTargets::bound(std::span<const float> query, WordId target) const {
  const float cosine = exact_score(query.data(), targets_.table().row(target).data(), query.size());
  return {static_cast<std::uint32_t>(bounds_.least_rank(target, cosine)), cosine, target};
}

std::vector<BoundedTarget> BoundedTargets::bound(std::span<const float> query, std::span<const ScoredRow> found) const {
  std::vector<BoundedTarget> open;
  open.reserve(found.size());
  for (const ScoredRow& row : found) open.push_back(bound(query, row.id));
  std::ranges::sort(open, [](const BoundedTarget& a, const BoundedTarget& b) {
    return a.upper_bound() > b.upper_bound() || (a.upper_bound() == b.upper_bound() && a.target < b.target);
  });
  return open;
}

}  // namespace wordbridge
