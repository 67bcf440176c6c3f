#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "optimize/objective.h"
#include "search/neighbor_search.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

struct ContrastiveOptions {
  double temperature = 0.05;
  std::size_t negatives = 2000;  // other targets that a batch is compared with; 0: all
  std::size_t hard = 0;          // of a pair's near targets, how many come along in a batch
  double backward = 0;           // weight of the other direction: which item of the batch belongs to a target
  double decay = 0;              // λ: λ ‖W − W₀‖² keeps W near its start
  double smoothing = 0;          // the share of a pair's probability that its near targets are to get
  double near_temperature = 0.05;
  double dropout = 0;       // the share of an input's elements that a batch leaves out
  bool both_sides = false;  // the targets are inputs, too, of a map of their own
  std::uint64_t seed = 1;
};

/// How often the own target wins a softmax over all others, by cosine in the target's own coordinates:
///
///     f(W, b) = −1/n sum_i log( exp(u(z_i)·y_i / t) / sum_j exp(u(z_i)·y_j / t) ) + λ ‖(W, b) − (W₀, b₀)‖²
///
/// with z_i = W x_i + b, u(z) = z / ‖z‖ and unit rows y. It is the softmax relative of RCSLS: the pair itself is in the
/// sum, and cosines take the place of scores whose scale is free. Rows equal to y_i, and other targets of x_i, are no
/// negatives of the pair. With p_ij the softmax,
///
///     df/du_i = sum_j p_ij y_j − y_i, divided by t n;  df/dz_i = (g − u_i (g·u_i)) / ‖z_i‖;  df/dW = sum_i df/dz_i
///     x_iᵀ.
///
/// The map that an optimizer sees is (W b), d_t x (d_s + 1): its last column is the intercept. Where both sides move,
/// it is (W b V c), k x (d_s + 1 + d_t + 1): targets are u(V y_j + c) in the place of y_j, of which the gradient is
/// df/dv_j = sum_i (p_ij − [i's own is j]) u_i, divided by t n. There is no backward term and no smoothing then.
///
/// A batch draws its negatives and the elements that it drops; the draw depends on the seed and the batch alone, so the
/// value is a function of both. evaluate() compares with all targets and drops nothing. Products are in float, sums
/// over pairs and the gradient in double.
class ContrastiveObjective : public Objective {
 public:
  /// Pairs are rows of the inputs and of the targets (unit rows, none zero); targets in no pair are negatives only.
  /// `near` holds, for the first rows of the targets, others that come near them (for smoothing and hard negatives);
  /// it may be empty. The tables and `near` must outlive this.
  ContrastiveObjective(ConstMatrixView inputs, ConstMatrixView targets, std::vector<Lexicon::Pair> pairs,
                       const Neighbors& near, MatrixD start, const ContrastiveOptions& options);

  std::size_t pairs() const override { return pairs_.size(); }
  ObjectiveValue evaluate(ConstMatrixViewD w) override;
  ObjectiveValue evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) override;

 private:
  struct Batch;
  Batch make_batch(std::span<const std::size_t> batch, bool whole) const;
  void choose_columns(Batch& b, std::span<const std::size_t> batch, std::uint64_t seed) const;
  void forward(Batch& b, std::size_t begin, std::size_t end, ConstMatrixView w) const;
  /// The gradient by the logits of pair i, in the place of these; returns the loss.
  double softmax_gradient(const Batch& b, std::size_t i, std::span<float> logits) const;
  void backward(Batch& b) const;
  void map_table(Batch& b, ConstMatrixView v) const;
  void table_gradient(Batch& b) const;
  /// Adds loss and gradient of the batch.
  void add(Batch b, ConstMatrixView w, ObjectiveValue& value) const;
  void add_decay(ConstMatrixViewD w, ObjectiveValue& value) const;

  ConstMatrixView inputs_, targets_;
  std::vector<Lexicon::Pair> pairs_;
  const Neighbors& near_;
  MatrixD start_;
  ContrastiveOptions options_;
  std::vector<std::vector<std::uint32_t>> matches_;  // of each input: target rows that are right for it, ascending
  std::vector<std::uint32_t> every_target_;
};

}  // namespace wordbridge
