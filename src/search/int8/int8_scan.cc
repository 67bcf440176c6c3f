#include "search/int8/int8_scan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "search/pruning/refine_candidates.h"
#include "search/rounding.h"
#include "search/top_k.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

/// Panels after which candidates are scored for the first time, and how many times as many it takes for the next: exact
/// scores raise a threshold further than bounds do, and save more candidates than they cost.
constexpr std::size_t kFirstScoring = 16, kScoringFactor = 4;

/// A query with more candidates than this has them scored, so that memory stays bounded whatever the table.
std::size_t most_candidates(std::size_t k, std::size_t parts = 1) {
  return std::max<std::size_t>(1024 / parts, 16 * k);
}
/// Upper bounds of scores from those in units: a unit is off by 2^-24 of itself, a product by as much, and where it
/// underflows, as the score may have before (Int8Queries), by 2^-149.
template <class UnitOf>
void score_bounds(const float* bounds, UnitOf unit_of, std::span<float> result) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    const float bound = bounds[i] * unit_of(i);
    result[i] = bound + (std::fabs(bound) * 0x1.0p-22f + 0x1.0p-147f);
  }
}

std::size_t room_for_candidates(std::size_t k, std::size_t panels = Int8Scan::kMostPanels) {
  return most_candidates(k) + panels * kPanelRows;
}

}  // namespace

std::size_t Int8Scan::most_queries(std::size_t k) {
  constexpr std::size_t kBytes = 20'000'000;
  return std::max<std::size_t>(1, kBytes / (room_for_candidates(k) * sizeof(RowCandidate) + k * 24));
}

Int8Scan::Int8Scan(const Int8Table& table, ConstMatrixView queries, std::size_t k, std::size_t parts,
                   std::size_t panels)
    : table_(table),
      queries_(queries),
      k_(k),
      most_candidates_(most_candidates(k, parts)),
      encoded_(table.encode(queries)),
      early_termination_(table.checks()) {
  const std::size_t count = queries.rows(), room = room_for_candidates(k, panels);
  position_of_.resize(count);
  for (std::uint32_t position = 0; position < count; ++position) position_of_[encoded_.order[position]] = position;
  lower_bounds_.assign(encoded_.padded_count(), std::numeric_limits<float>::infinity());
  std::fill_n(lower_bounds_.begin(), count, -std::numeric_limits<float>::infinity());
  for (const double unit : encoded_.unit) units_.push_back(static_cast<float>(unit));
  candidates_ = std::make_unique_for_overwrite<RowCandidate[]>(count * room);
  candidates_of_.resize(encoded_.padded_count());
  for (std::size_t i = 0; i < count; ++i) candidates_of_[i] = candidates_.get() + i * room;
  candidate_counts_.resize(encoded_.padded_count());
  counted_.resize(count);
  heaps_.resize(count * k);
  heap_sizes_.resize(count);
  best_.assign(count, TopK<float>(k));
}

void Int8Scan::raise_lower_bound(std::size_t query, float score) {
  const std::size_t position = position_of_[query];
  raise(position, encoded_.threshold_for_score(position, score));
}

void Int8Scan::keep_block_bounds() {
  block_bounds_ = Matrix::uninitialized(encoded_.padded_count(), table_.panels() * (kPanelRows / table_.block_rows()));
}

void Int8Scan::raise(std::size_t position, float lower_bound) {
  lower_bounds_[position] = std::max(lower_bounds_[position], lower_bound);
}

void Int8Scan::filter(std::size_t begin, std::size_t end) {
  for (std::size_t panel = begin, step = 1; panel < end; panel += step, step = std::min(2 * step, kMostPanels)) {
    Context::poll();
    FilterJob job = table_.job(encoded_, lower_bounds_.data(), panel, std::min(end, panel + step));
    if (!block_bounds_.empty()) {
      job.block_bounds = block_bounds_.data() + panel * (kPanelRows / table_.block_rows());
      job.block_stride = block_bounds_.cols();
    }
    run(job);
    refine_at_times(panel - begin, step);
  }
  answer_zero_queries(begin, end);
}

void Int8Scan::filter_both_sides(ReverseCandidates& rows, std::size_t first_query, std::size_t end) {
  constexpr std::size_t kStep = ReverseCandidates::kPanelsTogether;
  std::vector<float> factors(encoded_.padded_count()), row_thresholds;
  std::vector<double> units(encoded_.padded_count());
  for (std::size_t i = 0; i < factors.size(); ++i) {
    factors[i] = static_cast<float>(rows.unit() / encoded_.unit[i]);
    units[i] = encoded_.unit[i] / rows.unit();
  }
  const auto pair_candidates =
      std::make_unique_for_overwrite<PairCandidate[]>(encoded_.padded_count() * kStep * kPanelRows);
  for (std::size_t group = 0; group * kStep < end; ++group) {
    Context::poll();
    FilterJob job =
        table_.job(encoded_, lower_bounds_.data(), group * kStep, std::min(table_.panels(), (group + 1) * kStep));
    rows.copy_thresholds(group, row_thresholds);
    std::size_t pair_count = 0;
    job.row_threshold = row_thresholds.data();
    job.query_factor = factors.data();
    job.pair_candidates = pair_candidates.get();
    job.pair_count = &pair_count;
    run(job);
    refine_at_times(group * kStep, kStep);
    rows.add(group, {pair_candidates.get(), pair_count}, encoded_, units, first_query);
  }
  answer_zero_queries(0, table_.panels());
}

void Int8Scan::run(FilterJob& job) {
  job.candidates = candidates_of_.data();
  job.candidate_count = candidate_counts_.data();
  const bool may_terminate = job.block_bounds == nullptr;
  if (may_terminate) early_termination_.prepare(job);
  table_.kernels().filter->filter(job);
  if (may_terminate) early_termination_.learn(job);
  update_lower_bounds();
}

/// For a zero query all scores are 0, and the rows with the least ids are the best.
void Int8Scan::answer_zero_queries(std::size_t begin, std::size_t end) {
  const auto is_nan = [](float slack) { return std::isnan(slack); };
  if (std::none_of(encoded_.slack.begin(), encoded_.slack.begin() + static_cast<std::ptrdiff_t>(queries_.rows()),
                   is_nan))
    return;
  TopK<float> first(k_);
  for (std::size_t row = begin * kPanelRows; row < std::min(table_.rows(), end * kPanelRows); ++row)
    first.offer(0.0f, table_.id_of(static_cast<std::uint32_t>(row)));
  const std::vector<ScoredRow> rows = first.take_sorted();
  for (std::size_t position = 0; position < queries_.rows(); ++position)
    if (is_nan(encoded_.slack[position]))
      for (const ScoredRow& row : rows) best_[position].offer(row.score, row.id);
}

void Int8Scan::update_lower_bounds() {
  for (std::size_t i = 0; i < queries_.rows(); ++i)
    if (candidate_counts_[i] != counted_[i]) update_lower_bound(i);
}

/// Raises the lower bound of a query's k-th best score by those of its new candidates.
void Int8Scan::update_lower_bound(std::size_t position) {
  double* heap = heaps_.data() + position * k_;
  std::uint32_t& size = heap_sizes_[position];
  const double slack = 2 * (1 + 0x1.0p-40) * double{encoded_.slack[position]};
  bool changed = false;
  for (std::size_t h = counted_[position]; h < candidate_counts_[position]; ++h) {
    const RowCandidate& candidate = candidates_of_[position][h];
    changed |=
        push_top_k(double{candidate.upper_bound} - slack * double{table_.slack_of(candidate.row)}, k_, heap, size);
  }
  counted_[position] = candidate_counts_[position];
  if (changed) raise(position, encoded_.threshold_for_bound(position, heap[0]));
  if (candidate_counts_[position] > most_candidates_) {
    prune_candidates(position);
    if (candidate_counts_[position] > most_candidates_ / 2) refine_candidates(position);
  }
}

/// To be called when `step` panels have been filtered after `before`.
void Int8Scan::refine_at_times(std::size_t before, std::size_t step) {
  std::size_t time = kFirstScoring;
  while (time <= before) time *= kScoringFactor;
  if (time > before + step) return;
  for (std::size_t i = 0; i < queries_.rows(); ++i) {
    Context::poll();
    refine_candidates(i);
  }
}

void Int8Scan::prune_candidates(std::size_t position) {
  candidate_counts_[position] = counted_[position] = static_cast<std::uint32_t>(
      prune({candidates_of_[position], candidate_counts_[position]}, lower_bounds_[position]));
}

/// Scores the candidates of a query that may still be among the best, and forgets them.
void Int8Scan::refine_candidates(std::size_t position) {
  prune_candidates(position);
  float& lower_bound = lower_bounds_[position];
  const float* query = queries_.row(encoded_.order[position]).data();
  const auto row_of = [&](const RowCandidate& candidate) {
    return table_.table().row(table_.id_of(candidate.row)).data();
  };
  refine(
      std::span(candidates_of_[position], candidate_counts_[position]), queries_.cols(), row_of,
      [&] { return lower_bound; },
      [&](const RowCandidate& candidate) {
        if (table_.loader() != nullptr) table_.loader()->bring(table_.id_of(candidate.row));
        const float score = table_.kernels().score->exact_score(query, row_of(candidate), queries_.cols());
        best_[position].offer(score, table_.id_of(candidate.row));
        raise(position, encoded_.threshold_for_score(position, best_[position].threshold()));
      });
  candidate_counts_[position] = counted_[position] = 0;
}

TopK<float> Int8Scan::take_top_k(std::size_t query) {
  const std::size_t position = position_of_[query];
  refine_candidates(position);
  return std::move(best_[position]);
}

void Int8Scan::gather(std::span<const std::uint32_t> queries) {
  Gathered& some = gathered_;
  const std::size_t multiple = table_.kernels().filter->query_multiple;
  const std::size_t padded = (queries.size() + multiple - 1) / multiple * multiple;
  some.rows.assign(padded, encoded_.rows.front());
  some.lead.assign(padded, 0.0f);
  some.slack.assign(padded, std::numeric_limits<float>::quiet_NaN());
  some.thresholds.assign(padded, std::numeric_limits<float>::infinity());
  some.candidates_of.assign(padded, nullptr);
  some.candidate_counts.assign(padded, 0);
  some.bounds.resize(padded);
  some.units.resize(padded);
  some.positions.resize(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::uint32_t position = some.positions[i] = position_of_[queries[i]];
    some.rows[i] = encoded_.rows[position];
    some.lead[i] = encoded_.lead[position];
    some.slack[i] = encoded_.slack[position];
    some.units[i] = units_[position];
    some.thresholds[i] = lower_bounds_[position];
    some.candidates_of[i] = candidates_of_[position];
    some.candidate_counts[i] = candidate_counts_[position];
  }
}

void Int8Scan::filter_block(std::size_t block, std::span<const std::uint32_t> queries, std::span<float> bounds) {
  gather(queries);
  Gathered& some = gathered_;
  const std::size_t in_panel = kPanelRows / table_.block_rows(), panel = block / in_panel;
  FilterJob job = table_.job(encoded_, some.thresholds.data(), panel, panel + 1);
  job.queries = some.rows.data();
  job.query_count = some.lead.size();
  job.query_lead = some.lead.data();
  job.query_slack = some.slack.data();
  job.candidates = some.candidates_of.data();
  job.candidate_count = some.candidate_counts.data();
  job.block_begin = block % in_panel;
  job.block_end = job.block_begin + 1;
  job.block_bounds = some.bounds.data();
  job.block_stride = 1;
  table_.kernels().filter->filter(job);
  score_bounds(
      some.bounds.data(), [&](std::size_t i) { return some.units[i]; }, bounds);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::uint32_t position = some.positions[i];
    candidate_counts_[position] = some.candidate_counts[i];
    if (candidate_counts_[position] != counted_[position]) update_lower_bound(position);
  }
}

double Int8Scan::lower_bound(std::size_t query) const {
  const std::size_t position = position_of_[query];
  const double bound = double{lower_bounds_[position]} * encoded_.unit[position];
  return bound - std::fabs(bound) * 0x1.0p-50;
}

void Int8Scan::copy_block_bounds(std::size_t query, std::span<float> bounds) const {
  const std::size_t position = position_of_[query];
  score_bounds(
      block_bounds_.row(position).data(), [unit = units_[position]](std::size_t) { return unit; }, bounds);
}

bool Int8Scan::has_bounds(std::size_t query) const {
  const std::size_t position = position_of_[query];
  return !std::isnan(encoded_.slack[position]) && units_[position] > 0x1.0p-100f && units_[position] < 0x1.0p100f;
}

}  // namespace wordbridge
