#include "retrieval/globally_corrected.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "retrieval/gc/bounded_targets.h"
#include "retrieval/gc/rank_bounds.h"
#include "retrieval/gc/ranks.h"
#include "retrieval/ranked_targets.h"
#include "search/neighbor_search.h"
#include "space/common_space_state.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kQueriesOfBatch = 4096;  // queries at once
constexpr std::size_t kSmallRounds = 4;        // of questions; then the portions grow
constexpr std::size_t kMostListed = 1024;      // ranks up to which what is nearer is listed; above it is only counted
constexpr std::size_t kCountedAtOnce = 2048;   // targets for which all queries are counted, if need be

}  // namespace

/// One call of best().
class GloballyCorrected::Ranking {
 public:
  Ranking(const CommonSpace::State& space, Side asking, std::size_t pool)
      : sources_(space.rows(asking)),
        unit_targets_(space.rows(other(asking))),
        targets_(unit_targets_.rows()),
        target_search_(space.search(other(asking))),
        bounds_(space.shared<RankBounds>(fmt::format("gc, pool {}, {} asks", pool, name_of(asking)),
                                         [&] { return std::make_shared<RankBounds>(sources_, unit_targets_, pool); })),
        bounded_(target_search_, *bounds_),
        listed_(space.search(asking), targets_),
        counted_(sources_, targets_) {}

  Candidates best(ConstMatrixView queries, std::size_t count) {
    count = std::min(count, unit_targets_.nonzero());
    std::vector<RankedTargets> lists;
    lists.reserve(queries.rows());
    if (count == 0) lists.resize(queries.rows());
    for (std::size_t begin = 0; count > 0 && begin < queries.rows(); begin += kQueriesOfBatch)
      for (RankedTargets& list : rank(queries.slice(begin, std::min(begin + kQueriesOfBatch, queries.rows())), count))
        lists.push_back(std::move(list));
    return to_candidates(lists, count);
  }

 private:
  /// Looks for targets with ranks below a level, which rises until they are enough; then all others have larger ranks.
  std::vector<RankedTargets> rank(ConstMatrixView queries, std::size_t count) {
    std::vector<RankedTargets> lists(queries.rows());
    std::vector<WordId> open(queries.rows()), not_bounded;
    std::iota(open.begin(), open.end(), WordId{0});
    const std::span<const std::uint32_t> ranks = bounds_->levels();
    if (ranks.empty() || count > ranks.back()) open.swap(not_bounded);
    std::vector<std::size_t> levels(queries.rows(), open.empty() ? 0 : bounded_.first_level(count));
    while (!open.empty()) {
      std::vector<RankedTargets> found = rank_below(queries, open, count, levels);
      std::vector<WordId> left;
      for (std::size_t i = 0; i < open.size(); ++i) {
        const WordId q = open[i];
        // What is left out has a rank of at least this level, and a cosine like that of source words.
        const bool enough = found[i].threshold() > rank_score(ranks[levels[q]], kLargestCosine);
        lists[q] = std::move(found[i]);
        if (enough) continue;
        levels[q] = bounded_.level_after(levels[q]);
        (levels[q] < ranks.size() ? left : not_bounded).push_back(q);
      }
      open = std::move(left);
    }
    if (!not_bounded.empty()) rank_all(queries, not_bounded, count, lists);
    return lists;
  }

  /// The best of the targets with ranks below the level of each query, and maybe of some others.
  std::vector<RankedTargets> rank_below(ConstMatrixView queries, std::span<const WordId> some, std::size_t count,
                                        std::span<std::size_t> levels) {
    Stage stage("ranks among near source words");
    const std::vector<std::vector<BoundedTarget>> open = bounded_.find(queries, some, count, levels);
    for (const std::vector<BoundedTarget>& own : open)
      for (const BoundedTarget& target : BoundedTargets::likely(own, count))
        listed_.expect(target.target, target.cosine);
    return refine(open, count);
  }

  /// Ranks the open targets of each query by exact ranks, in portions, as long as they may enter its list. All queries
  /// ask at once, because many of them ask about the same targets.
  std::vector<RankedTargets> refine(const std::vector<std::vector<BoundedTarget>>& open, std::size_t count) {
    std::vector<RankedTargets> lists(open.size(), RankedTargets(count));
    std::vector<std::size_t> next(open.size());
    for (std::size_t round = 0, portion = count;; ++round) {
      Context::poll();
      std::vector<RankQuestion> questions;
      std::vector<std::uint8_t> to_list;
      std::vector<std::size_t> ends(next);
      for (std::size_t q = 0; q < open.size(); ++q)
        for (; ends[q] < std::min(open[q].size(), next[q] + portion); ++ends[q]) {
          const BoundedTarget& target = open[q][ends[q]];
          if (target.upper_bound() < lists[q].threshold()) break;
          questions.push_back({target.target, target.cosine, largest_rank_for(lists[q].threshold())});
          to_list.push_back(target.least_rank <= kMostListed);
        }
      if (questions.empty()) return lists;
      const auto ranks = exact_ranks(questions, to_list);
      auto rank = ranks.begin();
      for (std::size_t q = 0; q < open.size(); ++q)
        for (; next[q] < ends[q]; ++next[q], ++rank)
          if (const BoundedTarget& target = open[q][next[q]]; *rank)
            lists[q].offer(rank_score(**rank, target.cosine), target.target);
      portion = round < kSmallRounds ? std::max<std::size_t>(2, count / 2) : portion + portion / 2;
    }
  }

  /// From lists where these are short, by counting for the others.
  std::vector<std::optional<std::size_t>> exact_ranks(std::span<const RankQuestion> questions,
                                                      std::span<const std::uint8_t> to_list) {
    std::vector<RankQuestion> some[2];
    for (std::size_t i = 0; i < questions.size(); ++i) some[to_list[i]].push_back(questions[i]);
    const std::vector<std::optional<std::size_t>> ranks[2] = {counted_.ranks(some[0]), listed_.ranks(some[1])};
    std::vector<std::optional<std::size_t>> result;
    result.reserve(questions.size());
    std::size_t next[2] = {};
    for (const std::uint8_t kind : to_list) result.push_back(ranks[kind][next[kind]++]);
    return result;
  }

  /// The lists of some queries among all targets; those that there are have thresholds that are reached.
  void rank_all(ConstMatrixView queries, std::span<const WordId> open, std::size_t count,
                std::vector<RankedTargets>& lists) const {
    Stage stage("ranks among all source words");
    std::vector<double> least;
    for (const WordId q : open) {
      least.push_back(lists[q].threshold());
      lists[q] = RankedTargets(count);
    }
    for (std::size_t begin = 0; begin < targets_.rows(); begin += kCountedAtOnce) {
      stage.update(begin, targets_.rows());
      const std::size_t end = std::min(begin + kCountedAtOnce, targets_.rows());
      std::vector<std::vector<BoundedTarget>> targets(open.size());
      ThreadPool::current().for_chunks(open.size(), 1, [&](std::size_t i, std::size_t, int) {
        const double worst = std::max(least[i], lists[open[i]].threshold());
        for (WordId y = static_cast<WordId>(begin); y < end; ++y)
          if (!unit_targets_.is_zero(y))
            if (const BoundedTarget target = bounded_.bound(queries.row(open[i]), y); target.upper_bound() >= worst)
              targets[i].push_back(target);
      });
      std::vector<RankQuestion> questions;
      for (std::size_t i = 0; i < open.size(); ++i)
        for (const BoundedTarget& target : targets[i])
          questions.push_back(
              {target.target, target.cosine, largest_rank_for(std::max(least[i], lists[open[i]].threshold()))});
      const auto ranks = counted_.ranks(questions);
      auto rank = ranks.begin();
      for (std::size_t i = 0; i < open.size(); ++i)
        for (const BoundedTarget& target : targets[i])
          if (const auto own = *rank++) lists[open[i]].offer(rank_score(*own, target.cosine), target.target);
    }
  }

  const UnitRows& sources_;
  const UnitRows& unit_targets_;
  ConstMatrixView targets_;
  const TableSearch& target_search_;
  std::shared_ptr<const RankBounds> bounds_;
  BoundedTargets bounded_;
  ListedRanks listed_;
  CountedRanks counted_;
};

GloballyCorrected::GloballyCorrected(CommonSpace space, const GloballyCorrectedOptions& options, Side asking)
    : space_(std::move(space)), options_(options), asking_(asking) {
  if (options.pool == 0) throw UsageError("the globally corrected criterion needs a pool of one source word at least");
}

Candidates GloballyCorrected::best(ConstMatrixView queries, std::size_t count) const {
  require_dimension(queries, space_.table(other(asking_)));
  return Ranking(space_.state(), asking_, options_.pool).best(queries, count);
}

}  // namespace wordbridge
