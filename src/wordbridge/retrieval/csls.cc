#include "wordbridge/retrieval/csls.h"

#include <algorithm>
#include <optional>

#include "wordbridge/base/error.h"
#include "wordbridge/retrieval/lazy_csls.h"
#include "wordbridge/retrieval/neighborhood_means.h"
#include "wordbridge/retrieval/shifted_ranking.h"
#include "wordbridge/retrieval/table_search.h"

namespace wordbridge {

struct Csls::State {
  State(ConstMatrixView sources, ConstMatrixView targets, const CslsOptions& given)
      : options(given),
        source_search(sources),
        target_search(targets),
        means(targets, source_search, given.neighbors) {}

  Progress& progress() const { return options.progress != nullptr ? *options.progress : Progress::none(); }

  /// Whether it is less work to learn r_s only where needed. In searches over a table: the full pass takes one a
  /// target; a lazy query four for its bounds and one for each of its candidates, of which there are a few more than
  /// `count`.
  bool lazy_is_less_work(std::size_t queries, std::size_t count) const {
    return queries * (4 + count + count / 2) < means.size() - means.known_count();
  }

  std::optional<Candidates> best_lazily(ConstMatrixView queries, std::size_t count) {
    if (!lazy) lazy.emplace(source_search, target_search, means, options.neighbors);
    return lazy->best(queries, count, progress());
  }

  Candidates best_fully(ConstMatrixView queries, std::size_t count) {
    means.learn_all(progress());
    if (!ranking) ranking.emplace(target_search.table(), 2.0, means.all());
    NeighborhoodMeans query_means(queries, target_search, options.neighbors);
    query_means.learn_all(progress());
    return ranking->best(queries, query_means.all(), count, progress());
  }

  CslsOptions options;
  TableSearch source_search, target_search;
  NeighborhoodMeans means;                // r_s
  std::optional<LazyCsls> lazy;           // made when first needed
  std::optional<ShiftedRanking> ranking;  // made when all of r_s is known
};

Csls::Csls(ConstMatrixView sources, ConstMatrixView targets, const CslsOptions& options) {
  require_one_space(sources, targets);
  if (options.neighbors == 0) throw UsageError("CSLS needs one neighbor at least");
  state_ = std::make_unique<State>(sources, targets, options);
}

Csls::~Csls() = default;

Candidates Csls::best(ConstMatrixView queries, std::size_t count) {
  using Statistics = CslsOptions::Statistics;
  const Statistics statistics = state_->options.statistics;
  if (statistics == Statistics::lazy ||
      (statistics == Statistics::automatic && state_->lazy_is_less_work(queries.rows(), count)))
    if (std::optional<Candidates> candidates = state_->best_lazily(queries, count)) return std::move(*candidates);
  return state_->best_fully(queries, count);
}

std::size_t Csls::known_statistics() const { return state_->means.known_count(); }

}  // namespace wordbridge
