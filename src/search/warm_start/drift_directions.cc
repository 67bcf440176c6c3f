#include "search/warm_start/drift_directions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/random.h"
#include "linalg/blas.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr int kIterations = 4;  // the strong directions are found in two; weak ones matter little
constexpr std::uint64_t kSeed = 19;

double inner_product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Makes the rows orthonormal, in turn, and drops those that the rows before them nearly span.
MatrixD orthonormal_rows(MatrixD rows) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::span<double> row = rows.row(i);
    const double before = std::sqrt(inner_product(row, row));
    // Twice: what rounding leaves of the other directions the first time is gone after the second.
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j < kept; ++j) {
        const double share = inner_product(row, rows.row(j));
        for (std::size_t l = 0; l < row.size(); ++l) row[l] -= share * rows.row(j)[l];
      }
    const double after = std::sqrt(inner_product(row, row));
    if (!(after > 1e-6 * before)) continue;
    for (std::size_t l = 0; l < row.size(); ++l) rows(kept, l) = row[l] / after;
    ++kept;
  }
  rows.truncate_rows(kept);
  return rows;
}

}  // namespace

DriftDirections::DriftDirections(Matrix directions) : p(std::move(directions)) {
  if (p.rows() > kMostDirections) throw UsageError("too many directions");
  // Sums of doubles lose less than 2^-40 of 1 for rows of about unit length.
  double squares = 0, deviations = 0;
  for (std::size_t i = 0; i < p.rows(); ++i)
    for (std::size_t j = 0; j < p.rows(); ++j) {
      double product = 0;
      for (std::size_t l = 0; l < p.cols(); ++l) product += double{p(i, l)} * double{p(j, l)};
      if (i == j) squares += product;
      deviations += std::pow(product - (i == j ? 1 : 0), 2);
    }
  deviation = std::sqrt(deviations) + 0x1.0p-40;
  norm = std::sqrt(squares) * (1 + 0x1.0p-40);
}

DriftDirections principal_drift(const MatrixD& moves, std::size_t most) {
  const std::size_t d = moves.cols(), m = std::min({most, kMostDirections, d, moves.rows()});
  double largest = 0;
  for (const double value : moves.elements()) largest = std::max(largest, std::fabs(value));
  if (m == 0 || !(largest > 0) || !std::isfinite(largest)) return {};
  MatrixD scaled = moves;
  for (double& value : scaled.elements()) value /= largest;
  Random random(kSeed);
  MatrixD directions(m, d);
  for (double& value : directions.elements()) value = random.normal();
  for (int iteration = 0; iteration < kIterations && directions.rows() > 0; ++iteration)
    directions = orthonormal_rows(multiply(multiply_abt(directions, scaled), scaled));
  if (directions.rows() == 0) return {};
  return DriftDirections(to_float(directions));
}

}  // namespace wordbridge
