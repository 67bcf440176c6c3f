#include "search/int8/int8_scan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "search/pruning/refine_candidates.h"
#include "search/rounding.h"
#include "search/top_k.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

/// Panels between two looks at the thresholds, which rise fast at first and hardly later: 1, 2, 4, ... up to this.
constexpr std::size_t kMostPanels = 16;

/// Panels after which candidates are scored for the first time, and how many times as many it takes for the next: exact
/// scores raise a threshold further than bounds do, and save more candidates than they cost.
constexpr std::size_t kFirstScoring = 16, kScoringFactor = 4;

/// Rows of a list; longer ones take more memory than they save time.
constexpr std::size_t kMostListed = 1024;

/// A query with more candidates than this has them scored, so that memory stays bounded whatever the table.
std::size_t most_candidates(std::size_t k, std::size_t parts = 1) {
  return std::max<std::size_t>(1024 / parts, 16 * k);
}
std::size_t room_for_candidates(std::size_t k) { return most_candidates(k) + kMostPanels * kPanelRows; }

}  // namespace

std::size_t Int8Scan::most_queries(std::size_t k) {
  constexpr std::size_t kBytes = 20'000'000;
  return std::max<std::size_t>(1, kBytes / (room_for_candidates(k) * sizeof(RowCandidate) + k * 24));
}

Int8Scan::Int8Scan(const Int8Table& table, ConstMatrixView queries, std::size_t k, std::size_t parts)
    : table_(table),
      queries_(queries),
      k_(k),
      most_candidates_(most_candidates(k, parts)),
      most_listed_(std::max(kMostListed / parts, 4 * k)),
      encoded_(table.encode(queries)),
      early_termination_(table.checks()) {
  const std::size_t count = queries.rows(), room = room_for_candidates(k);
  position_of_.resize(count);
  for (std::uint32_t position = 0; position < count; ++position) position_of_[encoded_.order[position]] = position;
  thresholds_.assign(encoded_.padded_count(), std::numeric_limits<float>::infinity());
  std::fill_n(thresholds_.begin(), count, -std::numeric_limits<float>::infinity());
  lower_bounds_.assign(count, -std::numeric_limits<float>::infinity());
  lists_.resize(count);
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

void Int8Scan::keep_list(std::size_t query, double margin) {
  const std::size_t position = position_of_[query];
  lists_[position].margin = margin / encoded_.unit[position];
}

void Int8Scan::raise(std::size_t position, float lower_bound) {
  lower_bounds_[position] = std::max(lower_bounds_[position], lower_bound);
  update_threshold(position);
}

/// The threshold of the filter follows the lower bound, by the margin of the list that is wanted.
void Int8Scan::update_threshold(std::size_t position) {
  const double margin = lists_[position].margin;
  const float lowered = margin > 0 ? float_below(double{lower_bounds_[position]} - margin) : lower_bounds_[position];
  thresholds_[position] = std::max(thresholds_[position], lowered);
}

void Int8Scan::filter(std::size_t begin, std::size_t end) {
  for (std::size_t panel = begin, step = 1; panel < end; panel += step, step = std::min(2 * step, kMostPanels)) {
    Context::poll();
    FilterJob job = table_.job(encoded_, thresholds_.data(), panel, std::min(end, panel + step));
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
        table_.job(encoded_, thresholds_.data(), group * kStep, std::min(table_.panels(), (group + 1) * kStep));
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
  early_termination_.prepare(job);
  table_.kernels().filter->filter(job);
  early_termination_.learn(job);
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
    if (lists_[position].margin > 0) shorten_list(position);
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
    if (!(lists_[i].margin > 0)) refine_candidates(i);
  }
}

/// Leaves the better half of the candidates, if that is enough for the answer; otherwise there is no list.
void Int8Scan::shorten_list(std::size_t position) {
  RowCandidate* candidates = candidates_of_[position];
  const std::size_t half = most_candidates_ / 2;
  if (candidate_counts_[position] <= half) return;
  std::nth_element(candidates, candidates + half, candidates + candidate_counts_[position],
                   [](const RowCandidate& a, const RowCandidate& b) { return a.upper_bound > b.upper_bound; });
  List& list = lists_[position];
  list.cut = true;
  if (candidates[half].upper_bound < lower_bounds_[position]) {
    thresholds_[position] = std::nextafterf(candidates[half].upper_bound, std::numeric_limits<float>::infinity());
  } else {
    list.lost = true;
    list.margin = 0;
    update_threshold(position);
  }
  prune_candidates(position);
}

void Int8Scan::prune_candidates(std::size_t position) {
  candidate_counts_[position] = counted_[position] =
      static_cast<std::uint32_t>(prune({candidates_of_[position], candidate_counts_[position]}, thresholds_[position]));
}

/// Scores the candidates of a query that may still be among the best, and forgets them, unless they are a list.
void Int8Scan::refine_candidates(std::size_t position) {
  prune_candidates(position);
  RowCandidate* candidates = candidates_of_[position];
  float& lower_bound = lower_bounds_[position];
  const auto may_be_best = [least = lower_bound](const RowCandidate& candidate) {
    return candidate.upper_bound >= least;
  };
  const std::span open(candidates, std::partition(candidates, candidates + candidate_counts_[position], may_be_best));
  const float* query = queries_.row(encoded_.order[position]).data();
  const auto row_of = [&](const RowCandidate& candidate) {
    return table_.table().row(table_.id_of(candidate.row)).data();
  };
  refine(
      open, queries_.cols(), row_of, [&] { return lower_bound; },
      [&](const RowCandidate& candidate) {
        const float score = table_.kernels().score->exact_score(query, row_of(candidate), queries_.cols());
        best_[position].offer(score, table_.id_of(candidate.row));
        lower_bound = std::max(lower_bound, encoded_.threshold_for_score(position, best_[position].threshold()));
      });
  if (lists_[position].margin > 0) return;
  update_threshold(position);
  candidate_counts_[position] = counted_[position] = 0;
}

TopK<float> Int8Scan::take_top_k(std::size_t query) {
  const std::size_t position = position_of_[query];
  refine_candidates(position);
  return std::move(best_[position]);
}

Int8Scan::CandidateList Int8Scan::take_list(std::size_t query) const {
  CandidateList result;
  const std::size_t position = position_of_[query];
  const List& list = lists_[position];
  // The candidates of a query that is zero are none, but every row scores 0.
  if (list.lost || !(list.margin > 0) || std::isnan(encoded_.slack[position])) return result;
  const double unit = encoded_.unit[position];
  const std::span<const RowCandidate> candidates(candidates_of_[position], candidate_counts_[position]);
  const std::size_t most = most_listed_;
  float least = thresholds_[position];
  if (candidates.size() > most) {
    std::vector<float> bounds;
    bounds.reserve(candidates.size());
    for (const RowCandidate& candidate : candidates) bounds.push_back(candidate.upper_bound);
    const auto first_out = bounds.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(bounds.begin(), first_out, bounds.end(), std::greater<>());
    least = std::nextafterf(*first_out, std::numeric_limits<float>::infinity());
  }
  result.cut = list.cut || candidates.size() > most;
  result.outside = double{least} * unit;
  result.rows.reserve(std::min(candidates.size(), most));
  for (const RowCandidate& candidate : candidates)
    if (candidate.upper_bound >= least)
      result.rows.push_back({float_above(double{candidate.upper_bound} * unit), table_.id_of(candidate.row)});
  return result;
}

}  // namespace wordbridge
