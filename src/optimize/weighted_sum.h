#pragma once
#include <memory>
#include <vector>

#include "optimize/objective.h"

namespace wordbridge {

/// The weighted mean of several objectives of the same map: f(W) = sum_k c_k f_k(W) / sum_k c_k, where each f_k is
/// itself the mean over its pairs. Pairs are counted one objective after the other.
class WeightedSum final : public Objective {
 public:
  struct Part {
    std::unique_ptr<Objective> objective;
    double weight = 1;  // above 0
  };
  explicit WeightedSum(std::vector<Part> parts);

  std::size_t pairs() const override;
  ObjectiveValue evaluate(ConstMatrixViewD w) override;
  ObjectiveValue evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) override;

 private:
  static void add(ObjectiveValue& sum, const ObjectiveValue& value, double weight);

  std::vector<Part> parts_;
};

}  // namespace wordbridge
