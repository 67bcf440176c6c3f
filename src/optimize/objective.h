#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// Value and subgradient at a W as sums over pairs, each times the pair's weight, so that shards add up; always in
/// double.
struct ObjectiveValue {
  double loss_sum = 0;
  MatrixD gradient_sum;         // d_t x d_s, as W
  double pairs = 0;             // their weights together: divide both sums by it for the means of the formulas
  std::uint64_t searched = 0;   // queries that went through a table
  std::uint64_t certified = 0;  // scans saved by what was known from earlier calls

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

}  // namespace wordbridge
