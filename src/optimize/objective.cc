#include "optimize/objective.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

#include "linalg/blas.h"
#include "parallel/thread_pool.h"

namespace wordbridge {

namespace {

constexpr std::size_t kBlocksHeld = 8;  // blocks whose gradients are held at once, where one process sums alone

std::vector<BlockSum> sums_of(std::span<const std::size_t> blocks, std::size_t words, const SumOfBlock& sum_of) {
  std::vector<BlockSum> sums(blocks.size());
  ThreadPool::current().for_chunks(blocks.size(), 1, [&](std::size_t i, std::size_t, int) {
    const std::size_t begin = blocks[i] * kProductRows;
    sums[i] = sum_of(begin, std::min(words, begin + kProductRows));
  });
  return sums;
}

void add_alone(std::span<const std::size_t> blocks, std::size_t words, const SumOfBlock& sum_of,
               ObjectiveValue& value) {
  double* const total = value.gradient_sum.data();
  for (std::size_t first = 0; first < blocks.size(); first += kBlocksHeld)
    for (const BlockSum& sum :
         sums_of(blocks.subspan(first, std::min(kBlocksHeld, blocks.size() - first)), words, sum_of)) {
      for (const double loss : sum.losses) value.loss_sum += loss;
      for (std::size_t i = 0; i < value.gradient_sum.size(); ++i) total[i] += sum.gradient.data()[i];
    }
}

/// `own`: the blocks of this process.
void add_together(std::span<const std::size_t> own, std::size_t words, const SumOfBlock& sum_of,
                  Communicator& communicator, ObjectiveValue& value) {
  std::vector<double> losses;
  std::vector<Communicator::Chunk> chunks;
  for (const BlockSum& sum : sums_of(own, words, sum_of)) {
    losses.insert(losses.end(), sum.losses.begin(), sum.losses.end());
    chunks.push_back({own[chunks.size()], {sum.gradient.elements().begin(), sum.gradient.elements().end()}});
  }
  std::ranges::copy(communicator.sum_in_order(chunks), value.gradient_sum.data());
  const auto parts = communicator.all_gather_values<double>(losses);
  for (std::size_t word = 0; word < words; ++word) {
    const std::size_t block = word / kProductRows;
    value.loss_sum += parts[block % parts.size()][block / parts.size() * kProductRows + word % kProductRows];
  }
}

}  // namespace

ObjectiveValue sum_over_blocks(std::size_t words, std::size_t rows, std::size_t cols, Communicator& communicator,
                               const SumOfBlock& sum_of) {
  std::vector<std::size_t> own;
  for (auto block = static_cast<std::size_t>(communicator.rank()); block * kProductRows < words;
       block += static_cast<std::size_t>(communicator.size()))
    own.push_back(block);
  ObjectiveValue value;
  value.gradient_sum = MatrixD(rows, cols);
  if (communicator.size() == 1)
    add_alone(own, words, sum_of, value);
  else
    add_together(own, words, sum_of, communicator, value);
  return value;
}

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
  sum.saved_scans += value.saved_scans;
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
