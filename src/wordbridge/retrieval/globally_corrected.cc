#include "wordbridge/retrieval/globally_corrected.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "wordbridge/base/error.h"
#include "wordbridge/linalg/blas.h"
#include "wordbridge/linalg/gather.h"
#include "wordbridge/neighbors/make_search.h"
#include "wordbridge/neighbors/neighbor_search.h"
#include "wordbridge/neighbors/rounding.h"
#include "wordbridge/parallel/context.h"
#include "wordbridge/parallel/thread_pool.h"
#include "wordbridge/retrieval/ranked_targets.h"
#include "wordbridge/retrieval/source_ranks.h"
#include "wordbridge/retrieval/table_search.h"

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

class GloballyCorrected::State {
 public:
  State(ConstMatrixView sources, ConstMatrixView targets, const GloballyCorrectedOptions& options)
      : sources_(sources), targets_(targets), target_search_(targets), options_(options) {
    for (std::size_t y = 0; y < targets.rows(); ++y) {
      norms_.push_back(norm_above(targets.row(y).data(), targets.cols()));
      eligible_ += norms_.back() > 0 ? 1 : 0;
    }
  }

  ConstMatrixView targets() const { return targets_; }

  Candidates best(ConstMatrixView queries, std::size_t count) {
    count = std::min(count, eligible_);
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
  /// Remembers the scores of the nearest source words of every target.
  void remember() {
    Stage stage("nearest source words");
    const auto search = make_search(sources_);
    for (std::size_t begin = 0; begin < targets_.rows(); begin += kSearchedTargets) {
      stage.update(begin, targets_.rows());
      const std::size_t end = std::min(begin + kSearchedTargets, targets_.rows());
      const Neighbors found = search->search(targets_.slice(begin, end), options_.depth);
      depth_ = found.found;
      nearest_.insert(nearest_.end(), found.scores.begin(), found.scores.end());
    }
    remembered_ = true;
  }

  std::span<const float> nearest_of(std::size_t target) const { return {nearest_.data() + target * depth_, depth_}; }

  /// With a smaller score than this, a query is not among the remembered source words of the target.
  float limit_of(std::size_t target) const {
    if (norms_[target] == 0) return kInfinity;       // takes no part
    if (depth_ < options_.depth) return -kInfinity;  // all source words are remembered
    return nearest_of(target).back();
  }

  /// Offers every target of whose remembered source words a query would be one, with its exact rank.
  void look_up(ConstMatrixView queries, std::vector<RankedTargets>& lists) {
    Stage stage("ranks among near source words");
    if (!remembered_) remember();
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
    const double norm = norm_above(query.data(), query.size());
    for (std::size_t i = 0; i < products.size(); ++i) {
      const std::size_t y = begin + i;
      const float limit = limit_of(y);
      if (products[i] < limit - fp32_slack(query.size(), norm * norms_[y]) || limit == kInfinity) continue;
      const float score = exact_score(query.data(), targets_.row(y).data(), query.size());
      if (score < limit) continue;
      // The list descends: what is above the score stands before the first entry that is not.
      const auto scores = nearest_of(y);
      const auto rank = std::ranges::partition_point(scores, [&](float s) { return s > score; }) - scores.begin();
      list.offer(score_of(static_cast<std::size_t>(rank), score), static_cast<WordId>(y));
    }
  }

  /// The lists by counting, with a bound from the start: the ranks for the targets nearest to a query.
  std::vector<RankedTargets> count_all(ConstMatrixView queries, std::size_t count) {
    Stage stage("ranks among all source words");
    const std::vector<std::size_t> bounds = rank_bounds(queries, count);
    std::vector<RankedTargets> lists(queries.rows(), RankedTargets(count));
    SourceRanks ranks(sources_);
    for (std::size_t begin = 0; begin < targets_.rows(); begin += kTile) {
      stage.update(begin, targets_.rows());
      const std::size_t end = std::min(begin + kTile, targets_.rows());
      ranks.load(targets_.slice(begin, end));
      ThreadPool::current().for_chunks(queries.rows(), 1, [&](std::size_t q, std::size_t, int) {
        for (std::size_t y = begin; y < end; ++y) {
          if (norms_[y] == 0) continue;
          const float cosine = exact_score(queries.row(q).data(), targets_.row(y).data(), targets_.cols());
          if (const auto rank = ranks.nearer(y - begin, cosine, std::min(bounds[q], enough_for(lists[q]))))
            lists[q].offer(score_of(*rank, cosine), static_cast<WordId>(y));
        }
      });
    }
    return lists;
  }

  /// For each query a rank that `count` targets do not exceed.
  std::vector<std::size_t> rank_bounds(ConstMatrixView queries, std::size_t count) {
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
        bounds[q] = std::max(bounds[q], own->nearer(i, near.scores_of(q)[i], sources_.rows()).value());
    });
    return bounds;
  }

  ConstMatrixView sources_, targets_;
  TableSearch target_search_;
  GloballyCorrectedOptions options_;
  std::vector<double> norms_;  // of the targets
  std::size_t eligible_ = 0;   // targets that are not zero
  bool remembered_ = false;
  std::size_t depth_ = 0;       // source words remembered for each target
  std::vector<float> nearest_;  // their scores, best first
};

GloballyCorrected::GloballyCorrected(ConstMatrixView sources, ConstMatrixView targets,
                                     const GloballyCorrectedOptions& options) {
  require_one_space(sources, targets);
  if (options.depth == 0) throw UsageError("the globally corrected criterion needs a depth above 0");
  state_ = std::make_unique<State>(sources, targets, options);
}

GloballyCorrected::~GloballyCorrected() = default;

Candidates GloballyCorrected::best(ConstMatrixView queries, std::size_t count) {
  require_one_space(queries, state_->targets());
  return state_->best(queries, count);
}

}  // namespace wordbridge
