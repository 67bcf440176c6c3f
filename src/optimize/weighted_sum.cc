#include "optimize/weighted_sum.h"

#include <cassert>
#include <utility>

namespace wordbridge {

WeightedSum::WeightedSum(std::vector<Part> parts) : parts_(std::move(parts)) { assert(!parts_.empty()); }

std::size_t WeightedSum::pairs() const {
  std::size_t sum = 0;
  for (const Part& part : parts_) sum += part.objective->pairs();
  return sum;
}

void WeightedSum::add(ObjectiveValue& sum, const ObjectiveValue& value, double weight) {
  const double factor = weight / value.pairs;
  if (sum.gradient_sum.empty()) sum.gradient_sum = MatrixD(value.gradient_sum.rows(), value.gradient_sum.cols());
  sum.loss_sum += factor * value.loss_sum;
  for (std::size_t i = 0; i < sum.gradient_sum.size(); ++i)
    sum.gradient_sum.data()[i] += factor * value.gradient_sum.data()[i];
  sum.pairs += weight;
  sum.searched += value.searched;
  sum.certified += value.certified;
}

ObjectiveValue WeightedSum::evaluate(ConstMatrixViewD w) {
  ObjectiveValue sum;
  for (const Part& part : parts_) add(sum, part.objective->evaluate(w), part.weight);
  return sum;
}

ObjectiveValue WeightedSum::evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) {
  ObjectiveValue sum;
  std::size_t begin = 0;
  for (const Part& part : parts_) {
    const std::size_t end = begin + part.objective->pairs();
    std::vector<std::size_t> own;
    for (const std::size_t pair : batch)
      if (pair >= begin && pair < end) own.push_back(pair - begin);
    if (!own.empty()) add(sum, part.objective->evaluate_batch(w, own), part.weight);
    begin = end;
  }
  return sum;
}

}  // namespace wordbridge
