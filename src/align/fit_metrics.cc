#include "align/fit_metrics.h"

#include <cmath>

#include "linalg/blas.h"

namespace wordbridge {

std::map<std::string, double> fit_metrics(const PairedRows& rows, ConstMatrixView w) {
  const Matrix mapped = multiply_abt(rows.source, w);
  double cosines = 0, error = 0, total = 0;
  for (std::size_t i = 0; i < mapped.rows(); ++i) {
    const auto a = mapped.row(i), b = rows.target.row(i);
    double aa = 0, ab = 0, bb = 0, squares = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      const double x = a[j], y = b[j];
      aa += x * x;
      ab += x * y;
      bb += y * y;
      squares += (x - y) * (x - y);
    }
    if (aa > 0 && bb > 0) cosines += ab / std::sqrt(aa * bb);
    error += squares;
    total += bb;
  }
  const double pairs = static_cast<double>(mapped.rows());
  return {{"pairs", pairs}, {"mean_cosine", cosines / pairs}, {"relative_error", std::sqrt(error / total)}};
}

}  // namespace wordbridge
