#include "optimize/objective.h"

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <utility>

#include "linalg/blas.h"
#include "parallel/communicator_test_support.h"

namespace wordbridge::objective_test {

namespace {

/// Of each word 1 / (1 + its number), and a gradient whose sum depends on the order of the blocks.
BlockSum sum_of(std::size_t begin, std::size_t end) {
  BlockSum sum{{}, MatrixD(2, 3)};
  for (std::size_t word = begin; word < end; ++word) {
    sum.losses.push_back(1.0 / static_cast<double>(1 + word));
    for (std::size_t i = 0; i < sum.gradient.size(); ++i)
      sum.gradient.data()[i] += 1.0 / static_cast<double>(1 + word + i);
  }
  return sum;
}

TEST(BlockedSum, ByHand) {
  LocalCommunicator alone;
  const ObjectiveValue value = sum_over_blocks(2, 2, 3, alone, sum_of);
  EXPECT_DOUBLE_EQ(value.loss_sum, 1.5);
  EXPECT_DOUBLE_EQ(value.gradient_sum(0, 0), 1.5);
  EXPECT_DOUBLE_EQ(value.gradient_sum(1, 2), 1.0 / 6 + 1.0 / 7);
}

TEST(BlockedSum, NoWords) {
  LocalCommunicator alone;
  const ObjectiveValue value = sum_over_blocks(0, 2, 3, alone, sum_of);
  EXPECT_EQ(value.loss_sum, 0);
  ASSERT_EQ(value.gradient_sum.rows(), 2u);
  for (const double element : value.gradient_sum.elements()) EXPECT_EQ(element, 0);
}

/// More blocks than are held at once, the last of them not full: each once, added one after the other.
TEST(BlockedSum, EveryBlockOnceInOrder) {
  const std::size_t words = 10 * kProductRows + 7;
  std::mutex mutex;
  std::multiset<std::pair<std::size_t, std::size_t>> blocks;
  LocalCommunicator alone;
  const ObjectiveValue value = sum_over_blocks(words, 2, 3, alone, [&](std::size_t begin, std::size_t end) {
    const std::lock_guard lock(mutex);
    blocks.emplace(begin, end);
    return sum_of(begin, end);
  });
  ASSERT_EQ(blocks.size(), 11u);
  double loss = 0;
  MatrixD gradient(2, 3);
  std::size_t next = 0;
  for (const auto& [begin, end] : blocks) {
    EXPECT_EQ(begin, next);
    next = end;
    const BlockSum own = sum_of(begin, end);
    for (const double one : own.losses) loss += one;
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient.data()[i] += own.gradient.data()[i];
  }
  EXPECT_EQ(next, words);
  EXPECT_EQ(value.loss_sum, loss);
  for (std::size_t i = 0; i < gradient.size(); ++i) EXPECT_EQ(value.gradient_sum.data()[i], gradient.data()[i]);
}

TEST(BlockedSum, TheSameBitsForAnyNumberOfProcesses) {
  LocalCommunicator alone;
  for (const std::size_t words : {std::size_t{1}, kProductRows, 5 * kProductRows + 1}) {
    const ObjectiveValue expected = sum_over_blocks(words, 2, 3, alone, sum_of);
    for (const int ranks : {2, 3, 8})
      run_ranks(ranks, [&](Communicator& communicator) {
        const ObjectiveValue value = sum_over_blocks(words, 2, 3, communicator, sum_of);
        EXPECT_EQ(value.loss_sum, expected.loss_sum);
        for (std::size_t i = 0; i < value.gradient_sum.size(); ++i)
          EXPECT_EQ(value.gradient_sum.data()[i], expected.gradient_sum.data()[i]);
      });
  }
}

}  // namespace

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

}  // namespace wordbridge::objective_test
