#include "wordbridge/retrieval/csls.h"

#include <algorithm>
#include <optional>

#include "wordbridge/base/error.h"
#include "wordbridge/neighbors/make_search.h"
#include "wordbridge/neighbors/two_sided_search.h"
#include "wordbridge/parallel/context.h"
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

  /// Whether it is less work to learn r_s only where needed. In searches over a table: the full pass takes one a
  /// target; a lazy query some for its bounds and one for each of its candidates, of which there are a few more than
  /// `count`. The bounds are products of floats, so they count for more where searches are screened.
  bool lazy_is_less_work(std::size_t queries, std::size_t count) const {
    const std::size_t bounds = int8_filter_is_fast() ? 30 : 4;
    return queries * (bounds + count + count / 2) < means.size() - means.known_count();
  }

  std::optional<Candidates> best_lazily(ConstMatrixView queries, std::size_t count) {
    if (!lazy) lazy.emplace(source_search, target_search, means, options.neighbors);
    return lazy->best(queries, count);
  }

  Candidates best_fully(ConstMatrixView queries, std::size_t count) {
    NeighborhoodMeans query_means(queries, target_search, options.neighbors);  // r_t
    learn_both_sides(query_means, queries);
    if (!ranking) ranking.emplace(target_search.table(), 2.0, means.all());
    return ranking->best(queries, query_means.all(), count);
  }

  /// Learns all of r_s, and r_t of the queries.
  void learn_both_sides(NeighborhoodMeans& query_means, ConstMatrixView queries) {
    const ConstMatrixView sources = source_search.table();
    const bool all_sources =
        queries.data() == sources.data() && queries.rows() == sources.rows() && queries.stride() == sources.stride();
    if (all_sources && means.known_count() == 0 && int8_filter_is_fast()) {  // both sides in one pass
      Stage stage("CSLS statistics");
      stage.update(0, means.size());
      const TwoSidedNeighbors both = two_sided_search(sources, target_search.table(), options.neighbors);
      means.take_all(both.of_target);
      query_means.take_all(both.of_source);
      return;
    }
    means.learn_all();
    query_means.learn_all();
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
