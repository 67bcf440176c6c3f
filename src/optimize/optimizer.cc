#include "optimize/optimizer.h"

#include <cassert>
#include <cmath>

namespace wordbridge {

OptimizerState run(Optimizer& optimizer, OptimizerState state, const IterationObserver& observer) {
  while (!optimizer.finished(state)) {
    const Iteration iteration = optimizer.step(state);
    if (observer) observer(iteration, state);
  }
  return state;
}

double frobenius_norm(ConstMatrixViewD w) {
  double sum = 0;
  for (std::size_t i = 0; i < w.rows(); ++i)
    for (const double element : w.row(i)) sum += element * element;
  return std::sqrt(sum);
}

bool is_sound(const OptimizerState& state, double norm) {
  return std::isfinite(norm) && norm <= kLargestGrowth * state.start_norm;
}

MatrixD descend(ConstMatrixViewD w, ConstMatrixViewD gradient, double learning_rate, double l2) {
  assert(w.rows() == gradient.rows() && w.cols() == gradient.cols());
  MatrixD result = MatrixD::uninitialized(w.rows(), w.cols());
  const double decay = 1 - learning_rate * l2;
  for (std::size_t i = 0; i < w.rows(); ++i)
    for (std::size_t j = 0; j < w.cols(); ++j) result(i, j) = decay * w(i, j) - learning_rate * gradient(i, j);
  return result;
}

}  // namespace wordbridge
