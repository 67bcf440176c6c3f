#pragma once
#include <span>
#include <string>
#include <vector>

#include "mapping/rerank_model.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// What a logistic model decides by whether the first candidate is right: log-odds of its softmax, its margin over the
/// second, the log-sum of all scores, and some features of the first itself, as far as there are such.
class CalibrationTerms {
 public:
  /// `features`: the names of the columns that values() gets.
  explicit CalibrationTerms(const std::vector<std::string>& features);

  const std::vector<std::string>& names() const { return names_; }
  /// One for each name; there is one candidate at least. `features`: one row for each candidate, not standardized.
  std::vector<double> values(std::span<const double> scores, ConstMatrixViewD features) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::size_t> columns_;  // of the features among them
};

/// A word that was not learned from.
struct CalibrationSample {
  std::vector<double> values;  // CalibrationTerms::values()
  bool right = false;          // whether the first candidate is a translation
  bool elsewhere = false;      // whether another one is
};

/// Fits the logistic model. It is drawn to the softmax as it is, as strongly as kPriorWords words would do, so that few
/// samples change little.
RerankModel::Calibration fit_calibration(const std::vector<std::string>& names,
                                         std::span<const CalibrationSample> samples);

/// The probability that the first candidate is right.
double first_probability(const RerankModel::Calibration& calibration, std::span<const double> values);

/// The share of the softmax that each candidate has.
std::vector<double> softmax(std::span<const double> scores);

/// Probabilities for all candidates that leave something for "none of these": the first has p. The others have
/// (1 - p) * elsewhere together, divided by their shares of the softmax; none has more than p.
std::vector<double> calibrated_probabilities(std::span<const double> scores, double first, double elsewhere);

}  // namespace wordbridge
