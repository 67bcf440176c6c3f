#include "retrieval/rerank/standardization.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wordbridge {

Standardization::Standardization(std::vector<double> means, std::vector<double> deviations)
    : means_(std::move(means)), deviations_(std::move(deviations)) {}

Standardization Standardization::fit(std::span<const MatrixD* const> tables) {
  const std::size_t columns = tables.empty() ? 0 : tables.front()->cols();
  std::vector<double> means(columns), squares(columns);
  double rows = 0;
  for (const MatrixD* table : tables) {
    rows += static_cast<double>(table->rows());
    for (std::size_t i = 0; i < table->rows(); ++i)
      for (std::size_t j = 0; j < columns; ++j) means[j] += (*table)(i, j);
  }
  for (double& mean : means) mean /= std::max(1.0, rows);
  for (const MatrixD* table : tables)
    for (std::size_t i = 0; i < table->rows(); ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        const double distance = (*table)(i, j) - means[j];
        squares[j] += distance * distance;
      }
  std::vector<double> deviations(columns);
  constexpr double kConstant = 1e-9;
  for (std::size_t j = 0; j < columns; ++j) {
    deviations[j] = std::sqrt(squares[j] / std::max(1.0, rows));
    if (!(deviations[j] > kConstant)) deviations[j] = 1;
  }
  return {std::move(means), std::move(deviations)};
}

void Standardization::apply(MatrixViewD rows) const {
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.cols(); ++j)
      rows(i, j) = std::clamp((rows(i, j) - means_[j]) / deviations_[j], -kCut, kCut);
}

}  // namespace wordbridge
