#include "retrieval/csls/csls.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "retrieval/csls/lazy_csls.h"
#include "retrieval/csls/neighbor_list_ranking.h"
#include "retrieval/shifted_ranking.h"
#include "search/neighbor_search.h"
#include "space/common_space_state.h"

namespace wordbridge {

namespace {

/// Where rows of a table begin that queries are a part of; nothing where they are vectors of their own.
std::optional<std::size_t> first_row_of(ConstMatrixView queries, ConstMatrixView table) {
  if (queries.rows() == 0 || table.rows() == 0 || queries.stride() != table.stride()) return std::nullopt;
  const std::less<const float*> before;
  if (before(queries.data(), table.data()) || !before(queries.data(), table.data() + table.rows() * table.stride()))
    return std::nullopt;
  const auto offset = static_cast<std::size_t>(queries.data() - table.data());
  if (offset % table.stride() != 0) return std::nullopt;
  return offset / table.stride();
}

/// r_t of queries that are no words of the space.
std::vector<double> means_of(ConstMatrixView queries, const NeighborSearch& search, std::size_t k) {
  NeighborhoodMeans means(queries, search, k);
  means.learn_all();
  return {means.all().begin(), means.all().end()};
}

}  // namespace

Csls::Csls(CommonSpace space, const CslsOptions& options, Side asking)
    : space_(std::move(space)),
      options_(options),
      asking_(asking),
      statistics_(&space_.state().csls(options.neighbors)) {}

/// Whether it is less work to learn r_s only where needed. In searches over a table: the full pass takes one a target;
/// a lazy query some for its bounds and one for each of its candidates, of which there are a few more than `count`. The
/// bounds are products of floats, so they count for more where searches are screened.
bool Csls::lazy_is_less_work(std::size_t queries, std::size_t count) const {
  const Side answering = other(asking_);
  if (statistics_->complete(answering)) return false;
  const std::size_t bounds = int8_filter_is_fast() ? 30 : 4;
  return queries * (bounds + count + count / 2) < space_.size(answering) - statistics_->known(answering);
}

std::optional<Candidates> Csls::best_lazily(ConstMatrixView queries, std::size_t count) const {
  const CommonSpace::State& state = space_.state();
  CslsStatistics::Partial known(*statistics_, other(asking_));
  const auto lazy =
      state.shared<LazyCsls>(fmt::format("lazy csls, k {}, {} asks", options_.neighbors, name_of(asking_)), [&] {
        return std::make_shared<LazyCsls>(state.search(asking_), state.search(other(asking_)), known.means(),
                                          options_.neighbors);
      });
  return lazy->best(queries, count);
}

std::shared_ptr<ShiftedRanking> Csls::ranking() const {
  const CommonSpace::State& state = space_.state();
  return state.shared<ShiftedRanking>(
      fmt::format("csls ranking, k {}, {} asks", options_.neighbors, name_of(asking_)), [&] {
        const Side answering = other(asking_);
        return std::make_shared<ShiftedRanking>(state.rows(answering), 2.0, statistics_->of_all(answering));
      });
}

Candidates Csls::best_fully(ConstMatrixView queries, std::size_t count) const {
  const CommonSpace::State& state = space_.state();
  const ConstMatrixView asking = space_.table(asking_);
  const auto first = first_row_of(queries, asking);
  if (!first) {
    statistics_->of_all(other(asking_));
    const auto means = means_of(queries, state.search(other(asking_)), options_.neighbors);
    return ranking()->best(queries, means, count);
  }
  if (queries.rows() == asking.rows()) statistics_->learn_both();
  statistics_->of_all(other(asking_));
  std::vector<WordId> words(queries.rows());
  std::iota(words.begin(), words.end(), static_cast<WordId>(*first));
  if (std::optional<Candidates> candidates = best_of_lists(words, count)) return std::move(*candidates);
  return ranking()->best(queries, statistics_->of(asking_, *first, queries.rows()), count);
}

std::optional<Candidates> Csls::best_of_lists(std::span<const WordId> words, std::size_t count) const {
  const TwoSidedLists* nearest = statistics_->nearest();
  if (nearest == nullptr) return std::nullopt;
  const CommonSpace::State& state = space_.state();
  const NeighborListRanking lists(state.rows(asking_), state.rows(other(asking_)), state.search(other(asking_)),
                                  *statistics_, *nearest, asking_);
  return lists.best(words, count, [&](ConstMatrixView open, std::span<const double> means) {
    return ranking()->best(open, means, count);
  });
}

Candidates Csls::best(ConstMatrixView queries, std::size_t count) const {
  require_dimension(queries, space_.state().rows(other(asking_)).unread());
  using Statistics = CslsOptions::Statistics;
  if (options_.statistics == Statistics::lazy ||
      (options_.statistics == Statistics::automatic && lazy_is_less_work(queries.rows(), count)))
    if (std::optional<Candidates> candidates = best_lazily(queries, count)) return std::move(*candidates);
  return best_fully(queries, count);
}

Candidates Csls::best_for(std::span<const AskingWord> words, ConstMatrixView queries, std::size_t count) const {
  if (statistics_->nearest() == nullptr) return best(queries, count);
  require_dimension(queries, space_.state().rows(other(asking_)).unread());
  const UnitRows& asking = space_.state().rows(asking_);
  std::vector<WordId> ids;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].id && std::ranges::equal(queries.row(i), asking[*words[i].id])) ids.push_back(*words[i].id);
  std::vector<WordId> ascending = ids;
  std::ranges::sort(ascending);
  const bool lists_serve = ids.size() == words.size() && std::ranges::adjacent_find(ascending) == ascending.end();
  return lists_serve ? *best_of_lists(ids, count) : best(queries, count);
}

std::size_t Csls::known_statistics() const { return statistics_->known(other(asking_)); }

}  // namespace wordbridge
