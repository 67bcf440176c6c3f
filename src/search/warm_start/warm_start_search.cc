#include "search/warm_start/warm_start_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "linalg/gather.h"
#include "parallel/thread_pool.h"
#include "search/pruning/refine_candidates.h"
#include "search/rounding.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kChunkQueries = 32;  // queries that a thread takes at a time
constexpr std::size_t kLeastBlock = 64;    // queries of a scan: with fewer, reading the table takes too long
constexpr std::size_t kMostBlock = 1536;
/// The margin of the first list, as a share of the largest possible score; lists that become too long are cut, and the
/// margins of others grow by this factor.
constexpr double kFirstMargin = 0.15, kGrowth = 1.5;
/// Queries by whose moves the directions of the drift are found.
constexpr std::size_t kSampledMoves = 256;
/// The costs of a drift product, of a row of the list and of one in a block, and of the projection of a row onto all
/// directions, in exact scores. They need not be right to the digit: no answer depends on them.
constexpr double kListedCost = 0.12, kVisitedCost = 0.012, kProjectedCost = 3;
/// Directions are looked for where they take at most this share of the scans that they might save.
constexpr double kDriftShare = 0.1;
/// An answer that takes more than this share of a scan is not worth it: a scan renews the list too.
constexpr double kMostShare = 0.4;

/// Of a query, in exact scores.
double scan_cost(const Int8Table& codes) {
  return static_cast<double>(codes.rows()) / codes.kernels().filter->rows_in_a_score;
}

/// Makes the list, best first, the answer to query i.
void keep(std::span<const ScoredRow> best, std::size_t i, std::vector<std::uint32_t>& ids, Neighbors& result) {
  ids.resize(best.size());
  for (std::size_t j = 0; j < best.size(); ++j) {
    ids[j] = result.ids[i * result.found + j] = best[j].id;
    result.scores[i * result.found + j] = best[j].score;
  }
}

}  // namespace

WarmStartSearch::WarmStartSearch(const Int8Search& search, Caching caching, std::size_t parts)
    : search_(search),
      caching_(caching),
      parts_(parts),
      policy_(scan_cost(search.codes())),
      measures_(search.table()),
      ids_(rows_not_zero(search.table())) {}

Neighbors WarmStartSearch::search_above(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k,
                                        std::span<const float> floors) {
  if (queries.cols() != table().cols()) throw UsageError("queries and table differ in dimension");
  if (queries.rows() != slots.size()) throw UsageError("queries and slots differ in number");
  assert(std::adjacent_find(slots.begin(), slots.end(), std::greater_equal<>()) == slots.end());
  Neighbors result;
  result.queries = queries.rows();
  result.found = std::min(k, search_.codes().rows());
  certified_ = 0;
  if (result.queries == 0 || result.found == 0) return result;
  result.ids.resize(result.queries * result.found, kNoRow);
  result.scores.resize(result.queries * result.found, -std::numeric_limits<float>::infinity());
  if (slots_.size() <= slots.back()) slots_.resize(slots.back() + 1);

  std::vector<Lookup> lookups(queries.rows());
  double projections = 0;  // what they cost
  std::vector<Scratch> scratch(static_cast<std::size_t>(ThreadPool::current().size()));
  for (const std::vector<std::size_t>& group : groups(slots, result.found)) {
    const Drift drift = measure_drift(queries, slots, group);
    if (drift.rows) projections += kProjectedCost * static_cast<double>(ids_.size());
    ThreadPool::current().for_chunks(group.size(), kChunkQueries, [&](std::size_t begin, std::size_t end, int worker) {
      for (std::size_t g = begin; g < end; ++g) {
        const std::size_t i = group[g];
        Slot& slot = slots_[slots[i]];
        if (!floors.empty()) scratch[static_cast<std::size_t>(worker)].floor = floors[i];
        lookups[i] = look_up(slot, queries.row(i).data(), result.found, drift.moves[g], drift,
                             scratch[static_cast<std::size_t>(worker)]);
        if (lookups[i].certified) keep(lookups[i].best, i, slot.best, result);
      }
    });
  }
  ++calls_;
  learn_from(lookups, projections);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < lookups.size(); ++i)
    if (!lookups[i].certified) open.push_back(i);
  certified_ = queries.rows() - open.size();
  if (!floors.empty())
    for (const std::size_t i : open) lookups[i].lower_bound = std::max(lookups[i].lower_bound, floors[i]);
  const std::size_t tasks = 4 * static_cast<std::size_t>(ThreadPool::current().size());
  const std::size_t block = std::min(std::clamp((open.size() + tasks - 1) / tasks, kLeastBlock, kMostBlock),
                                     Int8Scan::most_queries(result.found));
  ThreadPool::current().for_chunks(open.size(), block, [&](std::size_t begin, std::size_t end, int) {
    scan(queries, slots, std::span(open).subspan(begin, end - begin), lookups, result);
  });
  return result;
}

void WarmStartSearch::learn_from(std::span<const Lookup> lookups, double cost) {
  std::size_t tried = 0, certified = 0;
  for (const Lookup& lookup : lookups) {
    tried += lookup.tried;
    certified += lookup.certified;
    if (lookup.tried) cost += lookup.cost;
  }
  policy_.learn(tried, certified, cost);
}

/// The queries whose lists were made in the same call have moved together. Those of calls that left few lists are taken
/// together, and with them those that have none.
std::vector<std::vector<std::size_t>> WarmStartSearch::groups(std::span<const std::uint32_t> slots,
                                                              std::size_t found) const {
  std::map<std::uint64_t, std::vector<std::size_t>> by_call;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Slot& slot = slots_[slots[i]];
    (has_list(slot, found) ? by_call[slot.list->call] : others).push_back(i);
  }
  std::vector<std::vector<std::size_t>> result;
  for (auto& [call, group] : by_call)
    if (drift_pays(group.size()))
      result.push_back(std::move(group));
    else
      others.insert(others.end(), group.begin(), group.end());
  if (!others.empty()) result.push_back(std::move(others));
  return result;
}

/// The moves of some queries, and the rows as these moves want them.
WarmStartSearch::Drift WarmStartSearch::measure_drift(ConstMatrixView queries, std::span<const std::uint32_t> slots,
                                                      std::span<const std::size_t> group) const {
  Drift drift;
  drift.moves.resize(group.size());
  std::vector<std::size_t> tried;  // of the group
  for (std::size_t g = 0; g < group.size(); ++g)
    if (slots_[slots[group[g]]].list != nullptr) tried.push_back(g);
  if (tried.empty()) return drift;
  drift.directions = directions_of(queries, slots, group, tried);
  ThreadPool::current().for_chunks(tried.size(), kChunkQueries, [&](std::size_t begin, std::size_t end, int) {
    Matrix now = Matrix::uninitialized(end - begin, queries.cols()), before = now;
    std::vector<double> outside(now.rows());
    std::vector<DriftMove> moves(now.rows());
    for (std::size_t t = begin; t < end; ++t) {
      const std::size_t i = group[tried[t]];
      const CachedList& list = *slots_[slots[i]].list;
      std::copy_n(queries.row(i).data(), queries.cols(), now.row(t - begin).data());
      std::copy(list.reference.begin(), list.reference.end(), before.row(t - begin).data());
      outside[t - begin] = std::max(list.rows.outside(), -kLargestScore);
    }
    drift_moves(measures_, drift.directions, now, before, outside, moves);
    for (std::size_t t = begin; t < end; ++t) drift.moves[tried[t]] = moves[t - begin];
  });
  if (drift.directions.count() == 0) return drift;
  std::array<double, DriftMove::kWidth> sums{};
  std::array<float, DriftMove::kWidth> typical{};
  for (const std::size_t i : tried)
    if (drift.moves[i].valid)
      for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += drift.moves[i].coefficients[j];
  for (std::size_t j = 0; j < sums.size(); ++j)
    typical[j] = static_cast<float>(sums[j] / static_cast<double>(tried.size()));
  drift.rows.emplace(table(), ids_, measures_, drift.directions, typical, *search_.codes().kernels().score);
  return drift;
}

/// Whether so many queries save what projecting the rows for them costs.
bool WarmStartSearch::drift_pays(std::size_t queries) const {
  return kProjectedCost * static_cast<double>(ids_.size()) <=
         kDriftShare * static_cast<double>(queries) * scan_cost(search_.codes());
}

/// None where they would take too long, or cannot be.
DriftDirections WarmStartSearch::directions_of(ConstMatrixView queries, std::span<const std::uint32_t> slots,
                                               std::span<const std::size_t> group,
                                               std::span<const std::size_t> tried) const {
  if (caching_ != Caching::always && !drift_pays(queries.rows())) return {};
  const std::size_t count = std::min(kSampledMoves, tried.size());
  MatrixD moves = MatrixD::uninitialized(count, queries.cols());
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t i = group[tried[s * tried.size() / count]];
    const float *query = queries.row(i).data(), *reference = slots_[slots[i]].list->reference.data();
    for (std::size_t j = 0; j < queries.cols(); ++j) moves(s, j) = double{query[j]} - double{reference[j]};
  }
  DriftDirections directions = principal_drift(moves, kMostDirections);
  return measures_.can_be_projected(directions) ? std::move(directions) : DriftDirections();
}

void WarmStartSearch::take_over(const MovingSearch& other, std::span<const std::uint32_t> slots, bool moved) {
  const auto* warm = dynamic_cast<const WarmStartSearch*>(&other);
  if (warm == nullptr || &warm->search_ != &search_) return;
  slots_.assign(slots.size(), {});
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] >= warm->slots_.size()) continue;
    slots_[i] = warm->slots_[slots[i]];
    if (moved) slots_[i].list = nullptr;
  }
  calls_ = warm->calls_;
  if (!moved) policy_ = warm->policy_;
}

/// Tries the list of a slot.
WarmStartSearch::Lookup WarmStartSearch::look_up(const Slot& slot, const float* query, std::size_t found,
                                                 const DriftMove& move, const Drift& drift, Scratch& scratch) const {
  const std::size_t d = table().cols();
  Lookup result;
  result.tried = has_list(slot, found);
  if (!move.valid) {
    if (slot.best.size() < found) return result;
    float least = std::numeric_limits<float>::infinity();  // of `found` different rows
    for (std::size_t i = 0; i < found; ++i)
      least = std::min(least, exact_score(query, table().row(slot.best[i]).data(), d));
    result.lower_bound = least;
    return result;
  }
  const PackedList& list = slot.list->rows;
  // Those that were best show where the k-th score lies now. It hardly rises any more, so they tell what else is open.
  TopK<float> best(found);
  const std::size_t first = std::min(list.size(), 2 * found);
  scratch.open.clear();
  for (std::size_t i = 0; i < first; ++i) scratch.open.push_back(list.id(i));
  score_rows(scratch.open, query, best);
  result.lower_bound = std::max(best.threshold(), scratch.floor);
  const double threshold = result.lower_bound;
  const double most =
      caching_ == Caching::always ? static_cast<double>(table().rows()) : kMostShare * scan_cost(search_.codes());
  scratch.open.clear();
  if (!find_outside(list, move, drift, threshold, most, scratch, result)) return result;
  const std::size_t others = list.size() - first;
  scratch.drifts.resize(others);
  if (drift.rows) {
    scratch.ids.clear();
    for (std::size_t i = first; i < list.size(); ++i) scratch.ids.push_back(list.id(i));
    drift.rows->products(move, scratch.ids, scratch.drifts);
  } else {
    std::fill(scratch.drifts.begin(), scratch.drifts.end(),
              float_above(double{move.coefficients.back()} * measures_.largest_norm));
  }
  for (std::size_t i = 0; i < others; ++i)
    if (move.upper_bound(list.upper_bound(first + i), double{scratch.drifts[i]}) >= threshold)
      scratch.open.push_back(list.id(first + i));
  result.cost += static_cast<double>(first + scratch.open.size()) + kListedCost * static_cast<double>(others);
  if (static_cast<double>(scratch.open.size()) > most) return result;
  score_rows(scratch.open, query, best);
  result.certified = true;
  result.best = best.take_sorted();
  return result;
}

/// Adds the rows outside the list that may reach the threshold to those that are open. False where that are too many.
bool WarmStartSearch::find_outside(const PackedList& list, const DriftMove& move, const Drift& drift, double threshold,
                                   double most, Scratch& scratch, Lookup& result) const {
  if (std::isinf(list.outside())) return true;  // there are none
  const double least = move.least_drift(list.outside(), threshold);
  if (!drift.rows) return double{move.coefficients.back()} * measures_.largest_norm * (1 + 0x1.0p-40) < least;
  scratch.reaching.clear();
  std::size_t visited = 0;
  const bool few =
      drift.rows->find_reaching(move, least, static_cast<std::size_t>(most) + list.size(), scratch.reaching, visited);
  result.cost += kVisitedCost * static_cast<double>(visited);
  if (!few) return false;
  if (scratch.reaching.empty()) return true;
  scratch.listed.resize(table().rows());
  for (std::size_t i = 0; i < list.size(); ++i) scratch.listed[list.id(i)] = true;
  for (const DriftedRows::Reaching& row : scratch.reaching)
    if (!scratch.listed[row.id]) scratch.open.push_back(row.id);
  for (std::size_t i = 0; i < list.size(); ++i) scratch.listed[list.id(i)] = false;
  return true;
}

void WarmStartSearch::score_rows(std::span<const std::uint32_t> ids, const float* query, TopK<float>& best) const {
  const std::size_t d = table().cols();
  const auto row_at = [&](std::size_t i) { return table().row(ids[i]).data(); };
  visit_prefetched(ids.size(), d, row_at, [&](std::size_t i) {
    best.offer(exact_score(query, row_at(i), d), ids[i]);
    return true;
  });
}

/// Scans the table for some queries, and makes their lists.
void WarmStartSearch::scan(ConstMatrixView queries, std::span<const std::uint32_t> slots,
                           std::span<const std::size_t> open, std::span<const Lookup> lookups, Neighbors& result) {
  const Matrix gathered = gather_rows(queries, open);
  Int8Scan scan(search_.codes(), gathered, result.found, parts_);
  std::vector<bool> wanted(open.size());
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Slot& slot = slots_[slots[open[i]]];
    wanted[i] =
        table().rows() <= PackedList::kMostRows && (caching_ == Caching::always || policy_.wants(slots[open[i]]));
    if (wanted[i]) {
      const double first = kFirstMargin * norm_above(gathered.row(i).data(), gathered.cols()) * measures_.largest_norm;
      scan.keep_list(i, slot.margin > 0 ? slot.margin : first);
    }
    scan.raise_lower_bound(i, lookups[open[i]].lower_bound);
  }
  scan.filter(0, search_.codes().panels());
  for (std::size_t i = 0; i < open.size(); ++i) {
    Slot& slot = slots_[slots[open[i]]];
    const std::vector<ScoredRow> best = scan.take_top_k(i).take_sorted();
    keep(best, open[i], slot.best, result);
    slot.list = nullptr;
    if (wanted[i] && !best.empty()) keep_list(scan.take_list(i), best, gathered.row(i), slot);
  }
}

void WarmStartSearch::keep_list(const Int8Scan::CandidateList& list, std::span<const ScoredRow> best,
                                std::span<const float> query, Slot& slot) const {
  if (!(list.outside < std::numeric_limits<double>::infinity())) return;
  slot.list = std::make_shared<const CachedList>(
      CachedList{{query.begin(), query.end()}, PackedList(list.rows, list.outside, 2 * best.size()), calls_});
  const double margin = std::max(0.0, double{best.back().score} - list.outside);
  slot.margin = std::isfinite(margin) ? (list.cut ? margin : kGrowth * margin) : 0;
}

}  // namespace wordbridge
