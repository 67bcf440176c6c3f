#include "optimize/squared_error.h"

#include <cassert>
#include <vector>

#include "linalg/blas.h"

namespace wordbridge {

ObjectiveValue SquaredError::evaluate(ConstMatrixViewD w) { return evaluate_pairs(w, words_.pairs()); }

ObjectiveValue SquaredError::evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) {
  std::vector<Lexicon::Pair> pairs;
  for (const std::size_t index : batch) pairs.push_back(words_.pairs()[index]);
  return evaluate_pairs(w, pairs);
}

ObjectiveValue SquaredError::evaluate_pairs(ConstMatrixViewD w, std::span<const Lexicon::Pair> pairs) const {
  assert(w.rows() == words_.target_dimension() && w.cols() == words_.source_dimension());
  // Over the distinct source words: the error of a word u, summed over its targets of weights w, is 2 sum w (W x_u −
  // y).
  const PairGroups groups = PairGroups::of(pairs);
  const MatrixD sources = words_.sources(groups.sources);
  MatrixD errors = multiply_abt(sources, w);

  ObjectiveValue value;
  value.pairs = groups.weight();
  std::vector<double> sum(w.rows());
  for (std::size_t i = 0; i < groups.sources.size(); ++i) {
    const std::span<double> mapped = errors.row(i);
    std::fill(sum.begin(), sum.end(), 0.0);
    for (std::size_t p = groups.begin[i]; p < groups.begin[i + 1]; ++p) {
      const std::span<const float> target = words_.target(groups.targets_of[p]);
      const double weight = groups.weights_of[p];
      for (std::size_t j = 0; j < sum.size(); ++j) {
        const double error = mapped[j] - double{target[j]};
        value.loss_sum += weight * (error * error);
        sum[j] += weight * (2 * error);
      }
    }
    std::copy(sum.begin(), sum.end(), mapped.begin());
  }
  value.gradient_sum = multiply_atb(errors, sources);
  return value;
}

}  // namespace wordbridge
