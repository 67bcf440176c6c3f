#include "optimize/weighted_sum.h"

#include <gtest/gtest.h>

namespace wordbridge::weighted_sum_test {

/// Pairs 0, 1, ... have the losses first, first + 1, ..., and the gradient is the loss in every place.
class Counting final : public Objective {
 public:
  Counting(double first, std::size_t pairs) : first_(first), pairs_(pairs) {}
  std::size_t pairs() const override { return pairs_; }
  ObjectiveValue evaluate(ConstMatrixViewD w) override {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < pairs_; ++i) all.push_back(i);
    return evaluate_batch(w, all);
  }
  ObjectiveValue evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) override {
    ObjectiveValue value;
    for (const std::size_t pair : batch) value.loss_sum += first_ + static_cast<double>(pair);
    value.gradient_sum = MatrixD(w.rows(), w.cols());
    for (double& element : value.gradient_sum.elements()) element = value.loss_sum;
    value.pairs = static_cast<double>(batch.size());
    value.searched = batch.size();
    return value;
  }

 private:
  double first_;
  std::size_t pairs_;
};

WeightedSum two() {
  std::vector<WeightedSum::Part> parts;
  parts.push_back({std::make_unique<Counting>(1, 3), 1});   // 1, 2, 3: mean 2
  parts.push_back({std::make_unique<Counting>(10, 2), 3});  // 10, 11: mean 10.5
  return WeightedSum(std::move(parts));
}

TEST(WeightedSum, IsTheWeightedMeanOfTheMeans) {
  WeightedSum sum = two();
  EXPECT_EQ(sum.pairs(), 5u);
  const MatrixD w(2, 2);
  const ObjectiveValue value = sum.evaluate(w);
  EXPECT_DOUBLE_EQ(value.loss(), (2 + 3 * 10.5) / 4);
  EXPECT_DOUBLE_EQ(value.gradient_sum(1, 1) / value.pairs, (2 + 3 * 10.5) / 4);
  EXPECT_EQ(value.searched, 5u);
}

TEST(WeightedSum, PairsAreCountedThroughAllParts) {
  WeightedSum sum = two();
  const MatrixD w(2, 2);
  const std::size_t batch[] = {2, 3};  // 3 of the first, 10 of the second
  EXPECT_DOUBLE_EQ(sum.evaluate_batch(w, batch).loss(), (3 + 3 * 10.0) / 4);
  const std::size_t one[] = {4};
  EXPECT_DOUBLE_EQ(sum.evaluate_batch(w, one).loss(), 11);
}

}  // namespace wordbridge::weighted_sum_test
