#include "optimize/optimizer_test_support.h"

namespace wordbridge {

ObjectiveValue ScalarObjective::evaluate(ConstMatrixViewD w) {
  const double at = w(0, 0);
  evaluated.push_back(at);
  ObjectiveValue value;
  value.pairs = static_cast<double>(pairs_);
  value.loss_sum = value.pairs * loss_(at);
  value.gradient_sum = scalar(value.pairs * derivative_(at));
  value.searched = 3;
  value.saved_scans = 4;
  return value;
}

ObjectiveValue ScalarObjective::evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) {
  batches.emplace_back(batch.begin(), batch.end());
  return evaluate(w);
}

ScalarObjective square_objective(std::size_t pairs) {
  return {[](double w) { return w * w; }, [](double w) { return 2 * w; }, pairs};
}

MatrixD scalar(double value) {
  MatrixD w(1, 1);
  w(0, 0) = value;
  return w;
}

}  // namespace wordbridge
