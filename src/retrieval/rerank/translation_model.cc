#include "retrieval/rerank/translation_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "lexicon/spelling.h"
#include "retrieval/rerank/log_sum_exp.h"
#include "retrieval/rerank/logistic.h"
#include "retrieval/rerank/standardization.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::array<std::string_view, 10> kStandingNames = {
    "log share",  "below first",   "place", "first", "like first", "like better", "like all", "like first x log share",
    "unsureness", "share of first"};
constexpr std::array<std::string_view, 4> kSpelledNames = {"spelled as first", "stem of first",
                                                           "stem of first x like first", "spelled x like first"};
constexpr double kLeastLog = -15;
constexpr std::size_t kSteps = 50;  // of thresholds

std::optional<std::size_t> column_of(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

/// The scores of a word, and their softmax.
struct Shares {
  double total;       // log-sum
  double unsureness;  // entropy
  explicit Shares(std::span<const double> scores) : total(log_sum_exp(scores)), unsureness(0) {
    for (const double score : scores) unsureness -= std::exp(score - total) * (score - total);
  }
};

/// Writes the values of the rows one after the other.
class Row {
 public:
  explicit Row(std::span<double> values) : values_(values) {}
  void add(double value) { values_[next_++] = value; }

 private:
  std::span<double> values_;
  std::size_t next_ = 0;
};

}  // namespace

TranslationTerms::TranslationTerms(const std::vector<std::string>& features)
    : names_(kStandingNames.begin(), kStandingNames.end()),
      csls_(column_of(features, "csls")),
      log_rank_(column_of(features, "log rank")),
      spelling_(column_of(features, "edit").has_value()) {
  names_.emplace_back("log-sum");
  if (csls_) names_.emplace_back("csls below first");
  if (log_rank_) names_.emplace_back("rank behind first");
  if (spelling_) names_.insert(names_.end(), kSpelledNames.begin(), kSpelledNames.end());
  names_.insert(names_.end(), features.begin(), features.end());
}

MatrixD TranslationTerms::values(const RankedCandidates& candidates) const {
  const auto& order = candidates.order;
  MatrixD values(std::min(order.size(), kAsked), names_.size());
  if (order.empty()) return values;
  const Shares shares(candidates.scores);
  const std::size_t first = order[0];
  const double best = candidates.scores[first];
  const std::size_t references = std::min(values.rows(), kReferences);
  MatrixD cosines(values.rows(), references);
  if (candidates.cosine)
    for (std::size_t i = 0; i < values.rows(); ++i)
      for (std::size_t j = 0; j < references; ++j)
        cosines(i, j) = i == j           ? 0
                        : i < j          ? candidates.cosine(order[i], order[j])
                        : i < references ? cosines(j, i)
                                         : candidates.cosine(order[i], order[j]);
  const auto share = [&](std::size_t place) { return std::exp(candidates.scores[order[place]] - shares.total); };
  for (std::size_t i = 0; i < values.rows(); ++i) {
    const std::size_t own = order[i];
    const double log_share = std::max(candidates.scores[own] - shares.total, kLeastLog);
    const double like_first = cosines(i, 0);
    double like_better = 0, like_all = 0;
    for (std::size_t j = 0; j < references; ++j) {
      if (j < i) like_better = j == 0 ? cosines(i, 0) : std::max(like_better, cosines(i, j));
      like_all += share(j) * cosines(i, j);
    }
    Row row(values.row(i));
    for (const double value : {log_share, std::max(candidates.scores[own] - best, kLeastLog),
                               std::log1p(static_cast<double>(i)), i == 0 ? 1.0 : 0.0, like_first, like_better,
                               like_all, like_first * log_share, shares.unsureness, best - shares.total, shares.total})
      row.add(value);
    const auto& features = candidates.features;
    if (csls_) row.add(features(own, *csls_) - features(first, *csls_));
    if (log_rank_) row.add(features(own, *log_rank_) - features(first, *log_rank_));
    if (spelling_) {
      double edit = 0, stem = 0;
      if (i > 0 && !candidates.letters.empty()) {
        const std::u32string_view word = candidates.letters[own], other = candidates.letters[first];
        edit = edit_similarity(word, other);
        stem = static_cast<double>(common_prefix(word, other)) /
               static_cast<double>(std::max<std::size_t>(1, std::min(word.size(), other.size())));
      }
      for (const double value : {edit, stem, stem * like_first, edit * like_first}) row.add(value);
    }
    for (const double value : features.row(own)) row.add(value);
  }
  return values;
}

namespace {

/// All rows of some samples, standardized.
struct Rows {
  MatrixD values;
  std::vector<std::uint8_t> right;

  Rows(std::span<const TranslationSample> samples, const Standardization& standard,
       const std::function<bool(const TranslationSample&)>& takes) {
    std::size_t rows = 0, columns = 0;
    for (const TranslationSample& sample : samples) {
      columns = std::max(columns, sample.values.cols());
      if (takes(sample)) rows += sample.values.rows();
    }
    values = MatrixD(rows, columns);
    for (const TranslationSample& sample : samples) {
      if (!takes(sample)) continue;
      for (std::size_t i = 0; i < sample.values.rows(); ++i) {
        std::ranges::copy(sample.values.row(i), values.row(right.size()).begin());
        right.push_back(sample.right[i]);
      }
    }
    standard.apply(values);
  }
};

Standardization standardization_of(const std::vector<std::string>& names, std::span<const TranslationSample> samples,
                                   const RerankModel::Translations* center) {
  std::vector<const MatrixD*> tables;
  for (const TranslationSample& sample : samples)
    if (sample.values.rows() > 0) tables.push_back(&sample.values);
  const Standardization own = Standardization::fit(tables);
  std::vector<double> means = own.means(), deviations = own.deviations();
  means.resize(names.size());
  deviations.resize(names.size(), 1);
  if (center != nullptr)
    for (const auto& term : center->terms)
      if (const auto column = column_of(names, term.name)) {
        means[*column] = term.mean;
        deviations[*column] = term.deviation;
      }
  return {std::move(means), std::move(deviations)};
}

std::vector<double> center_of(const std::vector<std::string>& names, const RerankModel::Translations* center) {
  std::vector<double> weights(names.size() + 1);
  if (center == nullptr) return weights;
  for (const auto& term : center->terms)
    if (const auto column = column_of(names, term.name)) weights[*column] = term.weight;
  weights.back() = center->intercept;
  return weights;
}

/// What was found where, of all that is known.
class Balance {
 public:
  void add(double probability, bool right) {
    const auto step = std::min(static_cast<std::size_t>(probability * kSteps), kSteps - 1);
    ++taken_[step];
    right_[step] += right ? 1 : 0;
  }
  void add_known(std::size_t translations) { known_ += static_cast<double>(translations); }

  std::vector<RerankModel::Translations::Point> points() const {
    std::vector<RerankModel::Translations::Point> points;
    double taken = 0, right = 0;
    for (std::size_t step = kSteps; step-- > 0;) {
      taken += taken_[step];
      right += right_[step];
      // As if one more had been taken, and been right half of the time.
      points.push_back(
          {static_cast<double>(step) / kSteps, (right + 0.5) / (taken + 1), right / std::max(1.0, known_)});
    }
    std::ranges::reverse(points);
    return points;
  }

 private:
  std::array<double, kSteps> taken_ = {}, right_ = {};
  double known_ = 0;
};

}  // namespace

RerankModel::Translations fit_translations(const std::vector<std::string>& names,
                                           std::span<const TranslationSample> samples, const TranslationFit& options) {
  const Standardization standard = standardization_of(names, samples, options.center);
  const std::vector<double> center = center_of(names, options.center);
  const auto fit = [&](const std::function<bool(const TranslationSample&)>& takes, std::vector<double> start) {
    const Rows rows(samples, standard, takes);
    return fit_logistic({rows.values, rows.right, center, options.prior}, std::move(start));
  };
  const auto model_of = [&](const std::vector<double>& weights) {
    RerankModel::Translations model{.intercept = weights.back(), .words = samples.size()};
    for (std::size_t j = 0; j < names.size(); ++j)
      model.terms.push_back({names[j], weights[j], standard.means()[j], standard.deviations()[j]});
    return model;
  };
  const std::vector<double> weights = fit([](const TranslationSample&) { return true; }, center);
  std::set<std::size_t> groups;
  for (const TranslationSample& sample : samples) groups.insert(sample.group);
  Balance balance;
  for (const std::size_t group : groups) {
    // The loss is convex: where the search begins changes the time that it takes, not what it finds.
    const auto others = fit([&](const TranslationSample& sample) { return sample.group != group; }, weights);
    const TranslationModel model(model_of(others), names, false);
    for (const TranslationSample& sample : samples) {
      if (sample.group != group) continue;
      balance.add_known(sample.known);
      const std::vector<double> probabilities = model.probabilities(sample.values);
      for (std::size_t i = 0; i < probabilities.size(); ++i) balance.add(probabilities[i], sample.right[i] != 0);
    }
  }
  RerankModel::Translations model = model_of(weights);
  model.balance = balance.points();
  return model;
}

TranslationModel::TranslationModel(const RerankModel::Translations& model, const std::vector<std::string>& names,
                                   bool lenient)
    : intercept_(model.intercept) {
  for (const auto& term : model.terms) {
    if (const auto column = column_of(names, term.name))
      terms_.push_back({*column, term.weight, term.mean, term.deviation});
    else if (!lenient)
      throw UsageError(fmt::format(
          "the re-ranker of the mapping asks for '{}' of each candidate, which is unknown here", term.name));
  }
}

std::vector<double> TranslationModel::probabilities(ConstMatrixViewD values) const {
  std::vector<double> probabilities;
  for (std::size_t i = 0; i < values.rows(); ++i) {
    double score = intercept_;
    for (const Term& term : terms_)
      score += term.weight * std::clamp((values(i, term.column) - term.mean) / term.deviation, -Standardization::kCut,
                                        Standardization::kCut);
    probabilities.push_back(logistic(score));
  }
  return probabilities;
}

EntryBalance balance_of(const RerankModel::Translations& model, const EntryOptions& options) {
  const auto f1 = [](const RerankModel::Translations::Point& point) {
    return 2 * point.precision * point.recall / std::max(1e-9, point.precision + point.recall);
  };
  const RerankModel::Translations::Point* chosen = nullptr;
  for (const auto& point : model.balance) {
    const bool reached = options.precision ? point.precision >= *options.precision
                         : options.recall  ? point.recall >= *options.recall
                                           : true;
    // Precision: the lowest threshold that reaches it. Recall: the highest one.
    const bool better = chosen == nullptr || (options.recall ? true : !options.precision && f1(point) > f1(*chosen));
    if (reached && better) chosen = &point;
  }
  const bool reached = chosen != nullptr;
  if (!reached && options.precision)
    chosen = &*std::ranges::max_element(model.balance, {}, &RerankModel::Translations::Point::precision);
  if (!reached && options.recall) chosen = &model.balance.front();
  return {chosen->threshold, 100 * chosen->precision, 100 * chosen->recall, 100 * f1(*chosen), model.words, reached};
}

}  // namespace wordbridge
