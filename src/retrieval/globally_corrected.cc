#include "retrieval/globally_corrected.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "linalg/blas.h"
#include "linalg/gather.h"
#include "parallel/thread_pool.h"
#include "retrieval/ranked_targets.h"
#include "retrieval/source_ranks.h"
#include "search/neighbor_search.h"
#include "search/rounding.h"
#include "space/common_space_state.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kSearchedTargets = 4096;  // targets of which the nearest source words are looked for at once
constexpr std::size_t kTile = 64;               // targets whose products with all sources are in memory at once

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Falls with the rank, and grows with the cosine between two ranks.
double score_of(std::size_t rank, float cosine) {
  return (static_cast<double>(cosine) - 1) / 2 - static_cast<double>(rank);
}

/// The largest rank with which a target can still enter the list.
std::size_t enough_for(const RankedTargets& list) {
  const double worst = list.threshold();
  return worst == -std::numeric_limits<double>::infinity() ? std::numeric_limits<std::size_t>::max()
                                                           : static_cast<std::size_t>(-worst + 1);
}

}  // namespace

/// The nearest source words of every target.
struct GloballyCorrected::Remembered {
  std::size_t depth = 0;       // of each target
  std::vector<float> nearest;  // their scores, best first

  Remembered(const NeighborSearch& sources, ConstMatrixView targets, std::size_t depth);
  std::span<const float> of(std::size_t target) const { return {nearest.data() + target * depth, depth}; }
};

GloballyCorrected::Remembered::Remembered(const NeighborSearch& sources, ConstMatrixView targets, std::size_t wanted) {
  Stage stage("nearest source words");
  for (std::size_t begin = 0; begin < targets.rows(); begin += kSearchedTargets) {
    stage.update(begin, targets.rows());
    const std::size_t end = std::min(begin + kSearchedTargets, targets.rows());
    const Neighbors found = sources.search(targets.slice(begin, end), wanted);
    depth = found.found;
    nearest.insert(nearest.end(), found.scores.begin(), found.scores.end());
  }
}

/// One call of best().
class GloballyCorrected::Ranking {
 public:
  Ranking(const CommonSpace::State& space, Side asking, std::size_t depth)
      : sources_(space.rows(asking)),
        unit_targets_(space.rows(other(asking))),
        targets_(unit_targets_.rows()),
        target_search_(space.search(other(asking))),
        depth_(depth),
        remembered_(space.shared<Remembered>(fmt::format("gc, depth {}, {} asks", depth, name_of(asking)), [&] {
          return std::make_shared<Remembered>(space.search(asking), targets_, depth);
        })) {}

  Candidates best(ConstMatrixView queries, std::size_t count) const {
    count = std::min(count, unit_targets_.nonzero());
    std::vector<RankedTargets> lists(queries.rows(), RankedTargets(count));
    if (count > 0 && queries.rows() > 0) {
      look_up(queries, lists);
      // Whoever is among the remembered source words of enough targets is done: all others have larger ranks.
      std::vector<WordId> open;
      for (std::size_t q = 0; q < lists.size(); ++q)
        if (lists[q].size() < count) open.push_back(static_cast<WordId>(q));
      if (!open.empty()) {
        std::vector<RankedTargets> counted = count_all(gather_rows(queries, open), count);
        for (std::size_t i = 0; i < open.size(); ++i) lists[open[i]] = std::move(counted[i]);
      }
    }
    return to_candidates(lists, count);
  }

 private:
  /// With a smaller score than this, a query is not among the remembered source words of the target.
  float limit_of(std::size_t target) const {
    if (unit_targets_.is_zero(static_cast<WordId>(target))) return kInfinity;  // takes no part
    if (remembered_->depth < depth_) return -kInfinity;                        // all source words are remembered
    return remembered_->of(target).back();
  }

  /// Offers every target of whose remembered source words a query would be one, with its exact rank.
  void look_up(ConstMatrixView queries, std::vector<RankedTargets>& lists) const {
    Stage stage("ranks among near source words");
    for (std::size_t begin = 0; begin < targets_.rows(); begin += kSearchedTargets) {
      stage.update(begin, targets_.rows());
      const std::size_t end = std::min(begin + kSearchedTargets, targets_.rows());
      ThreadPool::current().for_chunks(queries.rows(), kQueriesOfTask, [&](std::size_t first, std::size_t last, int) {
        Matrix products = Matrix::uninitialized(last - first, end - begin);
        multiply_abt_into(queries.slice(first, last), targets_.slice(begin, end), products);
        for (std::size_t q = first; q < last; ++q) look_up(queries.row(q), products.row(q - first), begin, lists[q]);
      });
    }
  }

  /// For the targets from `begin` on, with which the query has these products.
  void look_up(std::span<const float> query, std::span<const float> products, std::size_t begin,
               RankedTargets& list) const {
    const double slack =
        fp32_slack(query.size(), norm_above(query.data(), query.size()) * unit_targets_.largest_norm());
    for (std::size_t i = 0; i < products.size(); ++i) {
      const std::size_t y = begin + i;
      const float limit = limit_of(y);
      if (products[i] < limit - slack || limit == kInfinity) continue;
      const float score = exact_score(query.data(), targets_.row(y).data(), query.size());
      if (score < limit) continue;
      // The list descends: what is above the score stands before the first entry that is not.
      const auto scores = remembered_->of(y);
      const auto rank = std::ranges::partition_point(scores, [&](float s) { return s > score; }) - scores.begin();
      list.offer(score_of(static_cast<std::size_t>(rank), score), static_cast<WordId>(y));
    }
  }

  /// The lists by counting, with a bound from the start: the ranks for the targets nearest to a query.
  std::vector<RankedTargets> count_all(ConstMatrixView queries, std::size_t count) const {
    const std::vector<std::size_t> bounds = rank_bounds(queries, count);
    Stage stage("ranks among all source words");
    std::vector<RankedTargets> lists(queries.rows(), RankedTargets(count));
    SourceRanks ranks(sources_);
    for (std::size_t begin = 0; begin < targets_.rows(); begin += kTile) {
      stage.update(begin, targets_.rows());
      const std::size_t end = std::min(begin + kTile, targets_.rows());
      ranks.load(targets_.slice(begin, end));
      ThreadPool::current().for_chunks(queries.rows(), 1, [&](std::size_t q, std::size_t, int) {
        for (std::size_t y = begin; y < end; ++y) {
          if (unit_targets_.is_zero(static_cast<WordId>(y))) continue;
          const float cosine = exact_score(queries.row(q).data(), targets_.row(y).data(), targets_.cols());
          if (const auto rank = ranks.nearer(y - begin, cosine, std::min(bounds[q], enough_for(lists[q]))))
            lists[q].offer(score_of(*rank, cosine), static_cast<WordId>(y));
        }
      });
    }
    return lists;
  }

  /// For each query a rank that `count` targets do not exceed.
  std::vector<std::size_t> rank_bounds(ConstMatrixView queries, std::size_t count) const {
    Stage stage("ranks with near targets");
    const Neighbors near = target_search_.search(queries, count);
    std::vector<std::size_t> bounds(queries.rows());
    std::vector<std::unique_ptr<SourceRanks>> ranks(static_cast<std::size_t>(ThreadPool::current().size()));
    ThreadPool::current().for_chunks(queries.rows(), 1, [&](std::size_t q, std::size_t, int worker) {
      if (worker == 0) stage.update(q, queries.rows());
      auto& own = ranks[static_cast<std::size_t>(worker)];
      if (own == nullptr) own = std::make_unique<SourceRanks>(sources_);
      const Matrix targets = gather_rows(targets_, near.ids_of(q));
      own->load_alone(targets);
      for (std::size_t i = 0; i < near.found; ++i)
        bounds[q] = std::max(bounds[q], own->nearer(i, near.scores_of(q)[i], sources_.size()).value());
    });
    return bounds;
  }

  const UnitRows& sources_;
  const UnitRows& unit_targets_;
  ConstMatrixView targets_;
  const TableSearch& target_search_;
  std::size_t depth_;  // source words to be remembered for each target
  std::shared_ptr<Remembered> remembered_;
};

GloballyCorrected::GloballyCorrected(CommonSpace space, const GloballyCorrectedOptions& options, Side asking)
    : space_(std::move(space)), options_(options), asking_(asking) {
  if (options.depth == 0) throw UsageError("the globally corrected criterion needs a depth above 0");
}

Candidates GloballyCorrected::best(ConstMatrixView queries, std::size_t count) const {
  require_dimension(queries, space_.table(other(asking_)));
  return Ranking(space_.state(), asking_, options_.depth).best(queries, count);
}

}  // namespace wordbridge
