#include "wordbridge/neighbors/int8_scan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "wordbridge/neighbors/refine_candidates.h"
#include "wordbridge/neighbors/rounding.h"
#include "wordbridge/neighbors/top_k.h"

namespace wordbridge {

namespace {

/// Panels between two looks at the thresholds, which rise fast at first and hardly later: 1, 2, 4, ... up to this.
constexpr std::size_t kMostPanels = 16;

/// Panels after which hits are scored for the first time, and how many times as many it takes for the next: exact
/// scores raise a threshold further than bounds do, and save more hits than they cost.
constexpr std::size_t kFirstScoring = 16, kScoringFactor = 4;

/// Rows of a list; longer ones take more memory than they save time.
constexpr std::size_t kMostListed = 512;

/// A query with more hits than this has them scored, so that memory stays bounded whatever the table.
std::size_t most_hits(std::size_t k) { return std::max<std::size_t>(1024, 16 * k); }
std::size_t room_for_hits(std::size_t k) { return most_hits(k) + kMostPanels * kPanelRows; }

}  // namespace

std::size_t Int8Scan::most_queries(std::size_t k) {
  constexpr std::size_t kBytes = 20'000'000;
  return std::max<std::size_t>(1, kBytes / (room_for_hits(k) * sizeof(ScreenHit) + k * 24));
}

Int8Scan::Int8Scan(const Int8Table& table, ConstMatrixView queries, std::size_t k)
    : table_(table),
      queries_(queries),
      k_(k),
      most_hits_(most_hits(k)),
      encoded_(table.encode(queries)),
      checks_(table.checks()) {
  const std::size_t count = queries.rows(), room = room_for_hits(k);
  place_of_.resize(count);
  for (std::uint32_t place = 0; place < count; ++place) place_of_[encoded_.order[place]] = place;
  thresholds_.assign(encoded_.padded_count(), std::numeric_limits<float>::infinity());
  std::fill_n(thresholds_.begin(), count, -std::numeric_limits<float>::infinity());
  needed_.assign(count, -std::numeric_limits<float>::infinity());
  lists_.resize(count);
  hits_ = std::make_unique_for_overwrite<ScreenHit[]>(count * room);
  hits_of_.resize(encoded_.padded_count());
  for (std::size_t i = 0; i < count; ++i) hits_of_[i] = hits_.get() + i * room;
  hit_count_.resize(encoded_.padded_count());
  judged_.resize(count);
  least_.resize(count * k);
  least_count_.resize(count);
  best_.assign(count, TopK<float>(k));
}

void Int8Scan::raise_threshold(std::size_t query, float score) {
  const std::size_t place = place_of_[query];
  raise(place, encoded_.threshold_for_score(place, score));
}

void Int8Scan::keep_near(std::size_t query, double margin) {
  const std::size_t place = place_of_[query];
  lists_[place].margin = margin / encoded_.unit[place];
}

void Int8Scan::raise(std::size_t place, float threshold) {
  needed_[place] = std::max(needed_[place], threshold);
  lower_by_margin(place);
}

/// What the screen asks for follows what is needed.
void Int8Scan::lower_by_margin(std::size_t place) {
  const double margin = lists_[place].margin;
  const float lowered = margin > 0 ? float_below(double{needed_[place]} - margin) : needed_[place];
  thresholds_[place] = std::max(thresholds_[place], lowered);
}

void Int8Scan::screen(std::size_t begin, std::size_t end) {
  for (std::size_t panel = begin, step = 1; panel < end; panel += step, step = std::min(2 * step, kMostPanels)) {
    ScreenJob job = table_.job(encoded_, thresholds_.data(), panel, std::min(end, panel + step));
    run(job);
    score_at_times(panel - begin, step);
  }
  answer_zero_queries(begin, end);
}

void Int8Scan::screen_both_sides(RowCandidates& rows, std::size_t first_query) {
  constexpr std::size_t kStep = RowCandidates::kPanelsTogether;
  std::vector<float> factors(encoded_.padded_count()), row_thresholds;
  std::vector<double> units(encoded_.padded_count());
  for (std::size_t i = 0; i < factors.size(); ++i) {
    factors[i] = static_cast<float>(rows.unit() / encoded_.unit[i]);
    units[i] = encoded_.unit[i] / rows.unit();
  }
  const auto row_hits = std::make_unique_for_overwrite<ScreenRowHit[]>(encoded_.padded_count() * kStep * kPanelRows);
  for (std::size_t group = 0; group * kStep < table_.panels(); ++group) {
    const std::size_t end = std::min(table_.panels(), (group + 1) * kStep);
    ScreenJob job = table_.job(encoded_, thresholds_.data(), group * kStep, end);
    rows.copy_thresholds(group, row_thresholds);
    std::size_t row_hit_count = 0;
    job.row_threshold = row_thresholds.data();
    job.query_factor = factors.data();
    job.row_hits = row_hits.get();
    job.row_hit_count = &row_hit_count;
    run(job);
    score_at_times(group * kStep, kStep);
    rows.add(group, {row_hits.get(), row_hit_count}, encoded_, units, first_query);
  }
  answer_zero_queries(0, table_.panels());
}

void Int8Scan::run(ScreenJob& job) {
  job.hits = hits_of_.data();
  job.hit_count = hit_count_.data();
  checks_.prepare(job);
  table_.kernels().screen->screen(job);
  checks_.learn(job);
  judge_all();
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
  for (std::size_t place = 0; place < queries_.rows(); ++place)
    if (is_nan(encoded_.slack[place]))
      for (const ScoredRow& row : rows) best_[place].offer(row.score, row.id);
}

void Int8Scan::judge_all() {
  for (std::size_t i = 0; i < queries_.rows(); ++i)
    if (hit_count_[i] != judged_[i]) judge(i);
}

/// Raises the threshold of a query by its new hits.
void Int8Scan::judge(std::size_t place) {
  double* least = least_.data() + place * k_;
  std::uint32_t& count = least_count_[place];
  const double slack = 2 * (1 + 0x1.0p-40) * double{encoded_.slack[place]};
  bool risen = false;
  for (std::size_t h = judged_[place]; h < hit_count_[place]; ++h) {
    const ScreenHit& hit = hits_of_[place][h];
    risen |= push_top_k(double{hit.bound} - slack * double{table_.slack_of(hit.row)}, k_, least, count);
  }
  judged_[place] = hit_count_[place];
  if (risen) raise(place, encoded_.threshold_for_bound(place, least[0]));
  if (hit_count_[place] > most_hits_) {
    drop_hopeless(place);
    if (lists_[place].margin > 0) narrow(place);
    if (hit_count_[place] > most_hits_ / 2) score(place);
  }
}

/// To be called when `step` panels have been screened after `before`.
void Int8Scan::score_at_times(std::size_t before, std::size_t step) {
  std::size_t time = kFirstScoring;
  while (time <= before) time *= kScoringFactor;
  if (time > before + step) return;
  for (std::size_t i = 0; i < queries_.rows(); ++i)
    if (!(lists_[i].margin > 0)) score(i);
}

/// Leaves the better half of the hits, if that is enough for the answer; otherwise there is no list.
void Int8Scan::narrow(std::size_t place) {
  ScreenHit* hits = hits_of_[place];
  const std::size_t half = most_hits_ / 2;
  if (hit_count_[place] <= half) return;
  std::nth_element(hits, hits + half, hits + hit_count_[place],
                   [](const ScreenHit& a, const ScreenHit& b) { return a.bound > b.bound; });
  List& list = lists_[place];
  list.cut = true;
  if (hits[half].bound < needed_[place]) {
    thresholds_[place] = std::nextafterf(hits[half].bound, std::numeric_limits<float>::infinity());
  } else {
    list.lost = true;
    list.margin = 0;
    lower_by_margin(place);
  }
  drop_hopeless(place);
}

void Int8Scan::drop_hopeless(std::size_t place) {
  hit_count_[place] = judged_[place] =
      static_cast<std::uint32_t>(prune({hits_of_[place], hit_count_[place]}, thresholds_[place]));
}

/// Scores the hits of a query that may still be among the best, and forgets them, unless they are a list.
void Int8Scan::score(std::size_t place) {
  drop_hopeless(place);
  ScreenHit* hits = hits_of_[place];
  float& needed = needed_[place];
  const auto may_be_best = [least = needed](const ScreenHit& hit) { return hit.bound >= least; };
  const std::span open(hits, std::partition(hits, hits + hit_count_[place], may_be_best));
  const float* query = queries_.row(encoded_.order[place]).data();
  const auto row_of = [&](const ScreenHit& hit) { return table_.table().row(table_.id_of(hit.row)).data(); };
  refine(
      open, queries_.cols(), row_of, [&] { return needed; },
      [&](const ScreenHit& hit) {
        const float score = table_.kernels().score->exact_score(query, row_of(hit), queries_.cols());
        best_[place].offer(score, table_.id_of(hit.row));
        needed = std::max(needed, encoded_.threshold_for_score(place, best_[place].threshold()));
      });
  if (lists_[place].margin > 0) return;
  lower_by_margin(place);
  hit_count_[place] = judged_[place] = 0;
}

TopK<float> Int8Scan::take_best(std::size_t query) {
  const std::size_t place = place_of_[query];
  score(place);
  return std::move(best_[place]);
}

Int8Scan::NearRows Int8Scan::take_near(std::size_t query) const {
  NearRows result;
  const std::size_t place = place_of_[query];
  const List& list = lists_[place];
  // The hits of a query that is zero are none, but every row scores 0.
  if (list.lost || !(list.margin > 0) || std::isnan(encoded_.slack[place])) return result;
  const double unit = encoded_.unit[place];
  const std::span<const ScreenHit> hits(hits_of_[place], hit_count_[place]);
  const std::size_t most = std::max(kMostListed, 4 * k_);
  float least = thresholds_[place];
  if (hits.size() > most) {
    std::vector<float> bounds;
    bounds.reserve(hits.size());
    for (const ScreenHit& hit : hits) bounds.push_back(hit.bound);
    const auto first_out = bounds.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(bounds.begin(), first_out, bounds.end(), std::greater<>());
    least = std::nextafterf(*first_out, std::numeric_limits<float>::infinity());
  }
  result.cut = list.cut || hits.size() > most;
  result.rest = double{least} * unit;
  result.rows.reserve(std::min(hits.size(), most));
  for (const ScreenHit& hit : hits)
    if (hit.bound >= least) result.rows.push_back({float_above(double{hit.bound} * unit), table_.id_of(hit.row)});
  return result;
}

}  // namespace wordbridge
