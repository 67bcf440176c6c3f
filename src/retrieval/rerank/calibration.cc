#include "retrieval/rerank/calibration.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "retrieval/rerank/log_sum_exp.h"
#include "retrieval/rerank/logistic.h"
#include "retrieval/rerank/standardization.h"

namespace wordbridge {

namespace {

constexpr std::array<std::string_view, 8> kWinnerFeatures = {"cosine", "csls",    "backward margin", "edit",
                                                             "ngrams", "cognate", "log rank",        "rank distance"};
constexpr double kPriorWords = 20;
constexpr double kMostLogOdds = 20;

std::size_t first_place(std::span<const double> scores) {
  return static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
}

}  // namespace

CalibrationTerms::CalibrationTerms(const std::vector<std::string>& features)
    : names_({"log-odds", "margin", "log-sum"}) {
  for (const std::string_view name : kWinnerFeatures)
    if (const auto found = std::ranges::find(features, name); found != features.end()) {
      names_.emplace_back(name);
      columns_.push_back(static_cast<std::size_t>(found - features.begin()));
    }
}

std::vector<double> CalibrationTerms::values(std::span<const double> scores, ConstMatrixViewD features) const {
  const std::size_t first = first_place(scores);
  std::vector<double> others(scores.begin(), scores.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(first));
  const double odds = others.empty() ? kMostLogOdds : scores[first] - log_sum_exp(others);
  const double margin = others.empty() ? kMostLogOdds : scores[first] - std::ranges::max(others);
  std::vector<double> values = {std::clamp(odds, -kMostLogOdds, kMostLogOdds), std::min(margin, kMostLogOdds),
                                log_sum_exp(scores)};
  for (const std::size_t column : columns_) values.push_back(features(first, column));
  return values;
}

RerankModel::Calibration fit_calibration(const std::vector<std::string>& names,
                                         std::span<const CalibrationSample> samples) {
  MatrixD table(samples.size(), names.size());
  for (std::size_t i = 0; i < samples.size(); ++i) std::ranges::copy(samples[i].values, table.row(i).begin());
  const std::array<const MatrixD*, 1> tables = {&table};
  const Standardization standard = Standardization::fit(tables);
  standard.apply(table);
  // Column 0 is the log-odds v = mean + deviation z: as it is, v is the answer.
  std::vector<double> center(names.size() + 1);
  center[0] = standard.deviations()[0];
  center.back() = standard.means()[0];
  std::vector<std::uint8_t> right;
  for (const CalibrationSample& sample : samples) right.push_back(sample.right ? 1 : 0);
  const std::vector<double> weights = fit_logistic({table, right, center, kPriorWords});
  RerankModel::Calibration calibration{.intercept = weights.back()};
  for (std::size_t j = 0; j < names.size(); ++j)
    calibration.terms.push_back({names[j], weights[j], standard.means()[j], standard.deviations()[j]});
  double wrong = 2, elsewhere = 1;  // as if two more words had been wrong, and one of them right elsewhere
  for (const CalibrationSample& sample : samples) {
    wrong += !sample.right;
    elsewhere += !sample.right && sample.elsewhere;
  }
  calibration.elsewhere = elsewhere / wrong;
  return calibration;
}

double first_probability(const RerankModel::Calibration& calibration, std::span<const double> values) {
  assert(values.size() == calibration.terms.size());
  double score = calibration.intercept;
  for (std::size_t j = 0; j < values.size(); ++j) {
    const auto& term = calibration.terms[j];
    score += term.weight *
             std::clamp((values[j] - term.mean) / term.deviation, -Standardization::kCut, Standardization::kCut);
  }
  return logistic(score);
}

std::vector<double> softmax(std::span<const double> scores) {
  const double total = log_sum_exp(scores);
  std::vector<double> shares;
  for (const double score : scores) shares.push_back(std::exp(score - total));
  return shares;
}

std::vector<double> calibrated_probabilities(std::span<const double> scores, double first, double elsewhere) {
  const std::size_t best = first_place(scores);
  std::vector<double> others(scores.begin(), scores.end());
  others[best] = -std::numeric_limits<double>::infinity();
  const double total = log_sum_exp(others);
  std::vector<double> probabilities;
  for (const double score : others)
    probabilities.push_back(std::min(first, (1 - first) * elsewhere * std::exp(score - total)));
  probabilities[best] = first;
  return probabilities;
}

}  // namespace wordbridge
