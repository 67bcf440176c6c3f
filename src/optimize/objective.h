#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "parallel/communicator.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// Value and subgradient at a W as sums over pairs, each times the pair's weight, so that shards add up; always in
/// double.
struct ObjectiveValue {
  double loss_sum = 0;
  MatrixD gradient_sum;           // d_t x d_s, as W
  double pairs = 0;               // their weights together: divide both sums by it for the means of the formulas
  std::uint64_t searched = 0;     // queries that went through a table
  std::uint64_t saved_scans = 0;  // scans saved by what was known from earlier calls

  double loss() const { return loss_sum / pairs; }
};

/// A function of the map W, a mean over pairs of words, to be minimized.
class Objective {
 public:
  virtual ~Objective() = default;
  /// n, the number of pairs.
  virtual std::size_t pairs() const = 0;
  /// Over all pairs. Deterministic: the same bits for the same W, whatever was evaluated before and on however many
  /// threads.
  virtual ObjectiveValue evaluate(ConstMatrixViewD w) = 0;
  /// Over some pairs, each below pairs().
  virtual ObjectiveValue evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) = 0;
};

/// What a block of words adds to the loss, one number a word, and to the gradient.
struct BlockSum {
  std::vector<double> losses;
  MatrixD gradient;
};
/// Of the words [begin, end) of an evaluation; for many threads at once.
using SumOfBlock = std::function<BlockSum(std::size_t begin, std::size_t end)>;

/// The sum over so many words, with a gradient of rows x cols. They are cut into blocks of kProductRows words, each for
/// one thread, so that only a few blocks at a time hold rows in double; the processes take the blocks in turn. What
/// they give is added in the order of the words: the bits are the same for any number of threads and processes.
ObjectiveValue sum_over_blocks(std::size_t words, std::size_t rows, std::size_t cols, Communicator& communicator,
                               const SumOfBlock& sum_of);

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
