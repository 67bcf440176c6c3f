#include "retrieval/globally_corrected.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "linalg/gather.h"
#include "parallel/thread_pool.h"
#include "retrieval/gc/counted_ranks.h"
#include "retrieval/gc/listed_ranks.h"
#include "retrieval/gc/rank_bounds.h"
#include "retrieval/ranked_targets.h"
#include "search/neighbor_search.h"
#include "space/common_space_state.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kQueriesOfBatch = 4096;  // queries at once
constexpr std::size_t kFirstLevel = 4;     // times the targets wanted: the first rank up to which they are looked for
constexpr std::size_t kNextLevel = 4;      // times the last one: the next such rank
constexpr std::size_t kMostListed = 1024;  // ranks up to which what is nearer is listed; above it is only counted
constexpr std::size_t kCountedAtOnce = 2048;  // targets for which all queries are counted, if need be
/// Rows that a range search may find for all queries together: 64 MB.
constexpr std::size_t kMostFound = std::size_t{1} << 23;

/// A little more than rounding makes of the cosine of two vectors of length 1.
constexpr float kLargestCosine = 1.001f;

/// Falls with the rank, and grows with the cosine between two ranks.
double score_of(std::size_t rank, float cosine) {
  return (static_cast<double>(cosine) - 1) / 2 - static_cast<double>(rank);
}

/// The largest rank with which a target can still enter a list with this threshold.
std::size_t enough_for(double worst) {
  return worst == -std::numeric_limits<double>::infinity() ? std::numeric_limits<std::size_t>::max()
                                                           : static_cast<std::size_t>(-worst + 1);
}

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
  /// A target that may be among the best of a query. The score falls with the rank, of which a lower bound is known.
  struct Open {
    double upper_bound;
    float cosine;
    WordId target;
  };

  /// Looks for targets with ranks below a level, which rises until they are enough; then all others have larger ranks.
  std::vector<RankedTargets> rank(ConstMatrixView queries, std::size_t count) {
    std::vector<RankedTargets> lists(queries.rows());
    std::vector<WordId> open(queries.rows());
    std::iota(open.begin(), open.end(), WordId{0});
    const std::span<const std::uint32_t> levels = bounds_->levels();
    std::size_t wanted = kFirstLevel * count;
    for (std::size_t level = 0; level < levels.size() && !open.empty() && count <= levels.back(); ++level) {
      if (levels[level] < wanted && level + 1 < levels.size()) continue;
      wanted = kNextLevel * levels[level];
      const Matrix rows = gather_rows(queries, open);
      std::vector<RankedTargets> found = rank_below(level, rows, count);
      std::vector<WordId> left;
      for (std::size_t i = 0; i < open.size(); ++i) {
        // What is left out has a rank of at least this level, and a cosine like that of source words.
        if (!(found[i].threshold() > score_of(levels[level], kLargestCosine))) left.push_back(open[i]);
        lists[open[i]] = std::move(found[i]);
      }
      open = std::move(left);
    }
    if (!open.empty()) rank_all(queries, open, count, lists);
    return lists;
  }

  /// The best of the targets with ranks below a level, and maybe of some others.
  std::vector<RankedTargets> rank_below(std::size_t level, ConstMatrixView queries, std::size_t count) {
    Stage stage("ranks among near source words");
    const std::vector<double> thresholds(queries.rows(), 0.0);
    const std::optional<RangeSearchResult> found =
        target_search_.range_search(queries, thresholds, bounds_->scores(level), std::max(kMostFound, targets_.rows()));
    if (!found) {  // too many for one search; those of a single query never are
      const std::size_t half = queries.rows() / 2;
      std::vector<RankedTargets> lists = rank_below(level, queries.slice(0, half), count);
      for (RankedTargets& list : rank_below(level, queries.slice(half, queries.rows()), count))
        lists.push_back(std::move(list));
      return lists;
    }
    std::vector<std::vector<Open>> open(queries.rows());
    ThreadPool::current().for_chunks(queries.rows(), kQueriesOfTask, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t q = begin; q < end; ++q) open[q] = bound(queries.row(q), found->of(q));
    });
    const bool listed = bounds_->levels()[level] <= kMostListed;
    return refine(open, count, listed);
  }

  Open bound(std::span<const float> query, WordId target) const {
    const float cosine = exact_score(query.data(), targets_.row(target).data(), query.size());
    return {score_of(bounds_->least_rank(target, cosine), cosine), cosine, target};
  }

  /// The targets with their bounds, the best first.
  std::vector<Open> bound(std::span<const float> query, std::span<const ScoredRow> found) const {
    std::vector<Open> open;
    open.reserve(found.size());
    for (const ScoredRow& row : found) open.push_back(bound(query, row.id));
    std::ranges::sort(open, [](const Open& a, const Open& b) {
      return a.upper_bound > b.upper_bound || (a.upper_bound == b.upper_bound && a.target < b.target);
    });
    return open;
  }

  /// Ranks the open targets of each query by exact ranks, in portions, as long as they may enter its list.
  std::vector<RankedTargets> refine(const std::vector<std::vector<Open>>& open, std::size_t count, bool listed) {
    std::vector<RankedTargets> lists(open.size(), RankedTargets(count));
    std::vector<std::size_t> next(open.size());
    for (std::size_t portion = count;; portion = std::max<std::size_t>(2, listed ? count / 2 : 8 * count)) {
      Context::poll();
      std::vector<RankQuestion> questions;
      std::vector<std::size_t> ends(next);
      for (std::size_t q = 0; q < open.size(); ++q)
        for (; ends[q] < std::min(open[q].size(), next[q] + portion); ++ends[q]) {
          const Open& target = open[q][ends[q]];
          if (target.upper_bound < lists[q].threshold()) break;
          questions.push_back({target.target, target.cosine, enough_for(lists[q].threshold())});
        }
      if (questions.empty()) return lists;
      const auto ranks = listed ? listed_.ranks(questions) : counted_.ranks(questions);
      auto rank = ranks.begin();
      for (std::size_t q = 0; q < open.size(); ++q)
        for (; next[q] < ends[q]; ++next[q], ++rank)
          if (const Open& target = open[q][next[q]]; *rank)
            lists[q].offer(score_of(**rank, target.cosine), target.target);
    }
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
      std::vector<std::vector<Open>> targets(open.size());
      ThreadPool::current().for_chunks(open.size(), 1, [&](std::size_t i, std::size_t, int) {
        const double worst = std::max(least[i], lists[open[i]].threshold());
        for (WordId y = static_cast<WordId>(begin); y < end; ++y)
          if (!unit_targets_.is_zero(y))
            if (const Open target = bound(queries.row(open[i]), y); target.upper_bound >= worst)
              targets[i].push_back(target);
      });
      std::vector<RankQuestion> questions;
      for (std::size_t i = 0; i < open.size(); ++i)
        for (const Open& target : targets[i])
          questions.push_back(
              {target.target, target.cosine, enough_for(std::max(least[i], lists[open[i]].threshold()))});
      const auto ranks = counted_.ranks(questions);
      auto rank = ranks.begin();
      for (std::size_t i = 0; i < open.size(); ++i)
        for (const Open& target : targets[i])
          if (const auto own = *rank++) lists[open[i]].offer(score_of(*own, target.cosine), target.target);
    }
  }

  const UnitRows& sources_;
  const UnitRows& unit_targets_;
  ConstMatrixView targets_;
  const TableSearch& target_search_;
  std::shared_ptr<const RankBounds> bounds_;
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
