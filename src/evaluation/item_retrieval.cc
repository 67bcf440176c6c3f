#include "evaluation/item_retrieval.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "evaluation/sentence_translation.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

using Grades = std::vector<std::pair<WordId, double>>;

double grade_of(const Grades& grades, WordId item) {
  const auto found = std::ranges::find(grades, item, &Grades::value_type::first);
  return found == grades.end() ? 0 : found->second;
}

double discounted(double grade, std::size_t place) { return grade / std::log2(static_cast<double>(place) + 2); }

double ndcg(const Grades& grades, std::span<const WordId> found) {
  std::vector<double> best;
  for (const auto& [item, grade] : grades) best.push_back(grade);
  std::ranges::sort(best, std::greater<>());
  double gained = 0, most = 0;
  for (std::size_t i = 0; i < found.size(); ++i) gained += discounted(grade_of(grades, found[i]), i);
  for (std::size_t i = 0; i < std::min(found.size(), best.size()); ++i) most += discounted(best[i], i);
  return most > 0 ? gained / most : 0;
}

double recall(const Grades& grades, std::span<const WordId> found) {
  const auto relevant = std::ranges::count_if(found, [&](WordId item) { return grade_of(grades, item) > 0; });
  return grades.empty() ? 0 : static_cast<double>(relevant) / static_cast<double>(grades.size());
}

double kept(std::span<const WordId> old, std::span<const WordId> found) {
  const auto common =
      std::ranges::count_if(old, [&](auto item) { return std::ranges::find(found, item) != found.end(); });
  return old.empty() ? 0 : static_cast<double>(common) / static_cast<double>(old.size());
}

template <class Right>
double reciprocal_rank(std::span<const WordId> found, const Right& right) {
  const auto place = std::ranges::find_if(found, right) - found.begin();
  return static_cast<std::size_t>(place) == found.size() ? 0 : 1 / static_cast<double>(place + 1);
}

RetrievalResult::Mean mean_with_interval(std::span<const double> values) {
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  if (std::ranges::all_of(values, [](double value) { return value == 0 || value == 1; })) {
    const auto share = wilson_share(static_cast<std::size_t>(std::llround(mean * n)), values.size());
    return {share.percent, share.low, share.high};
  }
  double square = 0;
  for (const double value : values) square += (value - mean) * (value - mean);
  const double half = 1.959963984540054 * std::sqrt(square / (n * std::max(n - 1, 1.0)));
  return {100 * mean, 100 * std::max(mean - half, 0.0), 100 * std::min(mean + half, 1.0)};
}

}  // namespace

std::string RetrievalMeasure::name() const {
  const char* const names[] = {"own", "mrr", "kept", "ndcg", "recall", "relevant_mrr"};
  return names[static_cast<std::size_t>(kind)] + std::string("@") + std::to_string(k);
}

RetrievalEvaluation::RetrievalEvaluation(RetrievalTruth truth, ConstMatrixView items, std::vector<std::size_t> at)
    : truth_(std::move(truth)), items_(items), at_(std::move(at)) {
  std::ranges::sort(at_);
  at_.erase(std::unique(at_.begin(), at_.end()), at_.end());
  if (at_.empty() || at_.front() == 0) throw UsageError("ranks count from 1");
  using Kind = RetrievalMeasure::Kind;
  const auto add = [&](Kind kind, std::size_t k) { measures_.push_back({kind, k}); };
  if (!truth_.own.empty()) {
    for (const std::size_t k : at_) add(Kind::own, k);
    add(Kind::own_rank, at_.back());
  }
  for (const std::size_t k : at_)
    if (k > 1 && k <= truth_.old.found) add(Kind::kept, k);
  if (!truth_.grades.empty()) {
    for (const std::size_t k : at_)
      if (k > 1 || at_.size() == 1) add(Kind::ndcg, k);
    for (const std::size_t k : at_) add(Kind::recall, k);
    add(Kind::grade_rank, at_.back());
  }
  if (measures_.empty()) throw UsageError("nothing is known of what the queries should find");
}

std::size_t RetrievalEvaluation::queries() const {
  return std::max({truth_.own.size(), truth_.grades.size(), truth_.old.queries});
}

bool RetrievalEvaluation::is_own(std::size_t query, WordId item) const {
  return std::ranges::any_of(truth_.own[query], [&](WordId own) {
    return item == own || std::ranges::equal(items_.row(item), items_.row(own));
  });
}

double RetrievalEvaluation::measure(const RetrievalMeasure& measure, std::size_t query,
                                    std::span<const WordId> found) const {
  using Kind = RetrievalMeasure::Kind;
  const auto first = found.first(std::min(measure.k, found.size()));
  switch (measure.kind) {
    case Kind::own:
      return std::ranges::any_of(first, [&](WordId item) { return is_own(query, item); }) ? 1 : 0;
    case Kind::own_rank:
      return reciprocal_rank(first, [&](WordId item) { return is_own(query, item); });
    case Kind::kept:
      return kept(truth_.old.targets_of(query).first(measure.k), first);
    case Kind::ndcg:
      return ndcg(truth_.grades[query], first);
    case Kind::recall:
      return recall(truth_.grades[query], first);
    case Kind::grade_rank:
      return reciprocal_rank(first, [&](WordId item) { return grade_of(truth_.grades[query], item) > 0; });
  }
  return 0;
}

std::vector<RetrievalResult::Mean> RetrievalEvaluation::means_of(const RetrievalResult& result,
                                                                 std::span<const std::size_t> queries) const {
  std::vector<RetrievalResult::Mean> means;
  for (const auto& values : result.values) {
    std::vector<double> chosen;
    for (const std::size_t query : queries) chosen.push_back(values[query]);
    means.push_back(mean_with_interval(chosen));
  }
  return means;
}

RetrievalResult RetrievalEvaluation::of(std::string system, std::string criterion, const Candidates& found) const {
  RetrievalResult result{.system = std::move(system), .criterion = std::move(criterion)};
  result.values.assign(measures_.size(), std::vector<double>(queries()));
  for (std::size_t query = 0; query < queries(); ++query) {
    const auto list = found.targets_of(query);
    for (std::size_t m = 0; m < measures_.size(); ++m) result.values[m][query] = measure(measures_[m], query, list);
    result.first.push_back(list.empty() ? 0 : list.front());
    std::size_t rank = 0;
    if (!truth_.own.empty())
      for (std::size_t i = 0; i < list.size() && rank == 0; ++i) rank = is_own(query, list[i]) ? i + 1 : 0;
    result.own_rank.push_back(rank);
  }
  std::vector<std::size_t> all(queries());
  std::iota(all.begin(), all.end(), std::size_t{0});
  result.means = means_of(result, all);
  return result;
}

std::vector<RetrievalEvaluation::Crowd> RetrievalEvaluation::by_crowding(const RetrievalResult& result) const {
  constexpr std::size_t kParts = 3;
  const auto& crowding = truth_.crowding;
  if (crowding.size() < kParts) return {};
  std::vector<std::size_t> order(crowding.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t query) { return crowding[query]; });
  std::vector<Crowd> parts;
  for (std::size_t part = 0; part < kParts; ++part) {
    const std::size_t begin = order.size() * part / kParts, end = order.size() * (part + 1) / kParts;
    const auto some = std::span(order).subspan(begin, end - begin);
    parts.push_back({crowding[some.front()], crowding[some.back()], some.size(), means_of(result, some)});
  }
  return parts;
}

std::vector<std::size_t> RetrievalEvaluation::worst(const RetrievalResult& result, std::size_t count) const {
  std::vector<double> sums(queries());
  for (const auto& values : result.values)
    for (std::size_t query = 0; query < sums.size(); ++query) sums[query] += values[query];
  std::vector<std::size_t> order(sums.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t query) { return sums[query]; });
  order.resize(std::min(count, order.size()));
  return order;
}

}  // namespace wordbridge
