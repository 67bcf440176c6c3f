#include "optimize/neighbor_term.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "wordbridge/error.h"

namespace wordbridge {

namespace {

class MeanTerm : public NeighborTerm {
 public:
  std::string name() const override { return "mean"; }

  double evaluate(std::span<const double> scores, std::span<double> weights) const override {
    assert(!scores.empty() && scores.size() == weights.size());
    double sum = 0;
    for (const double score : scores) sum += score;
    const double weight = 1.0 / static_cast<double>(scores.size());
    std::fill(weights.begin(), weights.end(), weight);
    return sum * weight;
  }
};

class LogSumExpTerm : public NeighborTerm {
 public:
  explicit LogSumExpTerm(double temperature) : temperature_(temperature) {}
  std::string name() const override { return "logsumexp"; }

  double evaluate(std::span<const double> scores, std::span<double> weights) const override {
    assert(!scores.empty() && scores.size() == weights.size());
    // Relative to the largest score, so that nothing overflows at any temperature.
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) sum += weights[i] = std::exp((scores[i] - largest) / temperature_);
    for (double& weight : weights) weight /= sum;
    return largest + temperature_ * std::log(sum);
  }

 private:
  double temperature_;
};

}  // namespace

std::unique_ptr<NeighborTerm> make_neighbor_term(std::string_view name, double temperature) {
  if (!(temperature > 0) || !std::isfinite(temperature)) throw UsageError("the temperature must be above 0");
  if (name == "mean") return std::make_unique<MeanTerm>();
  if (name == "logsumexp") return std::make_unique<LogSumExpTerm>(temperature);
  throw UsageError("unknown loss '" + std::string(name) + "' (known: mean, logsumexp)");
}

}  // namespace wordbridge
