#include "wordbridge/neighbors/int8_scan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "wordbridge/neighbors/prefetch.h"
#include "wordbridge/neighbors/rounding.h"

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
    : table_(table), queries_(queries), k_(k), most_hits_(most_hits(k)), encoded_(table.encode(queries)) {
  const std::size_t count = queries.rows(), room = room_for_hits(k);
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
  best_.assign(count, BestScores(k));
}

void Int8Scan::raise_threshold(std::size_t query, float score) {
  raise(query, encoded_.threshold_for_score(query, score));
}

void Int8Scan::keep_near(std::size_t query, double margin) { lists_[query].margin = margin / encoded_.unit[query]; }

void Int8Scan::raise(std::size_t query, float threshold) {
  needed_[query] = std::max(needed_[query], threshold);
  lower_by_margin(query);
}

/// What the screen asks for follows what is needed.
void Int8Scan::lower_by_margin(std::size_t query) {
  const double margin = lists_[query].margin;
  const float lowered = margin > 0 ? float_below(double{needed_[query]} - margin) : needed_[query];
  thresholds_[query] = std::max(thresholds_[query], lowered);
}

void Int8Scan::screen(std::size_t begin, std::size_t end) {
  for (std::size_t panel = begin, step = 1; panel < end; panel += step, step = std::min(2 * step, kMostPanels)) {
    ScreenJob job = table_.job(encoded_, thresholds_.data(), panel, std::min(end, panel + step));
    job.hits = hits_of_.data();
    job.hit_count = hit_count_.data();
    table_.kernels().screen->screen(job);
    judge_all();
    score_at_times(panel - begin, step);
  }
  answer_zero_queries(begin, end);
}

void Int8Scan::screen_both_sides(RowCandidates& rows, std::size_t first_query) {
  constexpr std::size_t kStep = RowCandidates::kPanelsTogether;
  std::vector<float> factors(encoded_.padded_count()), row_thresholds;
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = static_cast<float>(rows.unit() / encoded_.unit[i]);
  const auto row_hits = std::make_unique_for_overwrite<ScreenRowHit[]>(encoded_.padded_count() * kStep * kPanelRows);
  for (std::size_t group = 0; group * kStep < table_.panels(); ++group) {
    const std::size_t end = std::min(table_.panels(), (group + 1) * kStep);
    ScreenJob job = table_.job(encoded_, thresholds_.data(), group * kStep, end);
    job.hits = hits_of_.data();
    job.hit_count = hit_count_.data();
    rows.copy_thresholds(group, row_thresholds);
    std::size_t row_hit_count = 0;
    job.row_threshold = row_thresholds.data();
    job.query_factor = factors.data();
    job.row_hits = row_hits.get();
    job.row_hit_count = &row_hit_count;
    table_.kernels().screen->screen(job);
    judge_all();
    score_at_times(group * kStep, kStep);
    rows.add(group, {row_hits.get(), row_hit_count}, encoded_, first_query);
  }
  answer_zero_queries(0, table_.panels());
}

/// For a zero query all scores are 0, and the first rows are the best.
void Int8Scan::answer_zero_queries(std::size_t begin, std::size_t end) {
  const std::size_t first = begin * kPanelRows, last = std::min({table_.rows(), end * kPanelRows, first + k_});
  for (std::size_t i = 0; i < queries_.rows(); ++i)
    if (std::isnan(encoded_.slack[i]))
      for (std::size_t row = first; row < last; ++row)
        best_[i].offer({0.0f, table_.id_of(static_cast<std::uint32_t>(row))});
}

void Int8Scan::judge_all() {
  for (std::size_t i = 0; i < queries_.rows(); ++i)
    if (hit_count_[i] != judged_[i]) judge(i);
}

/// Raises the threshold of a query by its new hits.
void Int8Scan::judge(std::size_t query) {
  double* least = least_.data() + query * k_;
  std::uint32_t& count = least_count_[query];
  const double slack = 2 * (1 + 0x1.0p-40) * double{encoded_.slack[query]};
  bool risen = false;
  for (std::size_t h = judged_[query]; h < hit_count_[query]; ++h) {
    const ScreenHit& hit = hits_of_[query][h];
    const double bound = double{hit.bound} - slack * double{table_.slack_of(hit.row)};
    if (count < k_) {
      least[count++] = bound;
      std::push_heap(least, least + count, std::greater<>());
      risen = count == k_;
    } else if (bound > least[0]) {
      std::pop_heap(least, least + k_, std::greater<>());
      least[k_ - 1] = bound;
      std::push_heap(least, least + k_, std::greater<>());
      risen = true;
    }
  }
  judged_[query] = hit_count_[query];
  if (risen) raise(query, encoded_.threshold_for_bound(query, least[0]));
  if (hit_count_[query] > most_hits_) {
    drop_hopeless(query);
    if (lists_[query].margin > 0) narrow(query);
    if (hit_count_[query] > most_hits_ / 2) score(query);
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
void Int8Scan::narrow(std::size_t query) {
  ScreenHit* hits = hits_of_[query];
  const std::size_t half = most_hits_ / 2;
  if (hit_count_[query] <= half) return;
  std::nth_element(hits, hits + half, hits + hit_count_[query],
                   [](const ScreenHit& a, const ScreenHit& b) { return a.bound > b.bound; });
  List& list = lists_[query];
  list.cut = true;
  if (hits[half].bound < needed_[query]) {
    thresholds_[query] = std::nextafterf(hits[half].bound, std::numeric_limits<float>::infinity());
  } else {
    list.lost = true;
    list.margin = 0;
    lower_by_margin(query);
  }
  drop_hopeless(query);
}

void Int8Scan::drop_hopeless(std::size_t query) {
  ScreenHit* hits = hits_of_[query];
  const float threshold = thresholds_[query];
  ScreenHit* kept =
      std::remove_if(hits, hits + hit_count_[query], [=](const ScreenHit& hit) { return hit.bound < threshold; });
  hit_count_[query] = judged_[query] = static_cast<std::uint32_t>(kept - hits);
}

/// Scores the hits of a query that may still be among the best, the most promising first, and forgets them, unless they
/// are a list.
void Int8Scan::score(std::size_t query) {
  drop_hopeless(query);
  ScreenHit* hits = hits_of_[query];
  const auto better = [](const ScreenHit& a, const ScreenHit& b) { return a.bound > b.bound; };
  const float needed = needed_[query];
  ScreenHit* const end =
      std::partition(hits, hits + hit_count_[query], [=](const ScreenHit& hit) { return hit.bound >= needed; });
  const std::size_t count = static_cast<std::size_t>(end - hits), d = queries_.cols();
  std::sort(hits, end, better);
  constexpr std::size_t kAhead = 6;
  for (std::size_t h = 0; h < std::min(count, kAhead); ++h) prefetch(row_of(hits[h]), d);
  for (std::size_t h = 0; h < count && hits[h].bound >= needed_[query]; ++h) {
    if (h + kAhead < count && hits[h + kAhead].bound >= needed_[query]) prefetch(row_of(hits[h + kAhead]), d);
    best_[query].offer({table_.kernels().score->exact_score(queries_.row(query).data(), row_of(hits[h]), d),
                        table_.id_of(hits[h].row)});
    needed_[query] = std::max(needed_[query], encoded_.threshold_for_score(query, best_[query].threshold()));
  }
  if (lists_[query].margin > 0) return;
  lower_by_margin(query);
  hit_count_[query] = judged_[query] = 0;
}

BestScores Int8Scan::take_best(std::size_t query) {
  score(query);
  return std::move(best_[query]);
}

Int8Scan::NearRows Int8Scan::take_near(std::size_t query) const {
  NearRows result;
  const List& list = lists_[query];
  // The hits of a query that is zero are none, but every row scores 0.
  if (list.lost || !(list.margin > 0) || std::isnan(encoded_.slack[query])) return result;
  const double unit = encoded_.unit[query];
  const std::span<const ScreenHit> hits(hits_of_[query], hit_count_[query]);
  const std::size_t most = std::max(kMostListed, 4 * k_);
  float least = thresholds_[query];
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
