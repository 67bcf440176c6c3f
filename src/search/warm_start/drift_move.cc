#include "search/warm_start/drift_move.h"

#include <algorithm>
#include <vector>

#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr std::size_t kMostDimensions = std::size_t{1} << 16;

/// Four sums at a time, so that they are fast without a license to reorder them.
template <class Term>
double sum_of(std::size_t count, Term term) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t l = 0; l < 4; ++l) sums[l] += term(i + l);
  for (; i < count; ++i) sums[0] += term(i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

double dot(const float* a, const float* b, std::size_t d) {
  return sum_of(d, [=](std::size_t i) { return double{a[i]} * double{b[i]}; });
}

/// What is known of a query and its reference before alpha is chosen.
struct Products {
  double query_square, reference_square, product;  // |q|^2, |q0|^2, <q, q0>
  const float *query, *reference;                  // P q, P q0
};

/// The best alpha, about. With x⊥ = x - PᵀP x, the rest is shortest for p = <q⊥, q0⊥> / |q0⊥|^2; for a row whose score
/// is s and z near that of the mean row, the bound is least for
///     alpha = p - |r| t / (|q0⊥| sqrt(Y^2 - t^2)),   t = (s - <P q0, z>) / |q0⊥|.
double choose_alpha(const Products& of, std::size_t m, const std::vector<double>& mean, double largest, double score) {
  double query = of.query_square, reference = of.reference_square, product = of.product, drift = 0;
  for (std::size_t i = 0; i < m; ++i) {
    query -= double{of.query[i]} * of.query[i];
    reference -= double{of.reference[i]} * of.reference[i];
    product -= double{of.query[i]} * of.reference[i];
    drift += of.reference[i] * mean[i];
  }
  if (!(reference > 0x1.0p-16 * of.reference_square)) return 1;  // P holds all of q0
  const double t = (score - drift) / std::sqrt(reference), room = largest * largest - t * t;
  double alpha = product / reference;
  const double rest = std::sqrt(std::max(0.0, query - alpha * product));
  if (room > 0x1.0p-10 * largest * largest) alpha -= rest * t / std::sqrt(reference * room);
  return alpha;
}

}  // namespace

DriftTable::DriftTable(ConstMatrixView rows) : norms(rows.rows()), mean(rows.cols()) {
  constexpr std::size_t kRows = 4096;
  const std::size_t parts = (rows.rows() + kRows - 1) / kRows;
  std::vector<double> largest(parts);
  MatrixD sums(parts, rows.cols());
  ThreadPool::current().for_chunks(rows.rows(), kRows, [&](std::size_t begin, std::size_t end, int) {
    double* sum = sums.row(begin / kRows).data();
    for (std::size_t i = begin; i < end; ++i) {
      const float* row = rows.row(i).data();
      const double norm = norm_above(row, rows.cols());
      norms[i] = float_above(norm);
      largest[begin / kRows] = std::max(largest[begin / kRows], norm);
      for (std::size_t j = 0; j < rows.cols(); ++j) sum[j] += row[j];
    }
  });
  for (std::size_t part = 0; part < parts; ++part) {
    largest_norm = std::max(largest_norm, largest[part]);
    for (std::size_t j = 0; j < rows.cols(); ++j) mean[j] += sums(part, j) / static_cast<double>(rows.rows());
  }
}

/// Each of the m products in float is within fp32_slack(d, |P_i| Y) of the real one.
double DriftTable::projection_error(const DriftDirections& directions) const {
  return fp32_slack(mean.size(), directions.norm * largest_norm) * std::sqrt(static_cast<double>(directions.count()));
}

bool DriftTable::can_be_projected(const DriftDirections& directions) const {
  return mean.size() <= kMostDimensions && largest_norm < 0x1.0p100 && largest_norm > 0x1.0p-100 &&
         directions.deviation < 0.01 && projection_error(directions) < 0.01 * largest_norm;
}

// Let s be at least the score of y for q0. A score is <q, y> rounded: off by at most
//     e(|q|) = (u (1 + 2^-20) + d 2^-52) |q| Y + 2^-149,   u = 2^-24
// so <q0, y> <= s + e(|q0|), and with the floats z near P y (|z - P y| <= e_z, DriftTable)
//     <q, y> = alpha <q0, y> + <c, P y> + <r, y>
//     <c, P y> <= <c, z> + |c| e_z
//     <r, y> = <r, y - Pᵀ z> + <P r, z> <= |r| w + |P r| |z|
// for any P, alpha >= 0 and c. Hence the bound of DriftMove with
//     K = alpha e(|q0|) + e(|q|) + |c| e_z + |P r| |z| + (what rounds the drift product) + (roundings in double).
// |z| and |(z, w)| are at most 2 Y (drifted_rows.cc), and the drift product of kWidth floats is within
// fp32_slack(kWidth, |(c, |r|)| 2 Y) of the real one.
//
// r is computed as a vector R of floats: Pᵀ c in float, each of d values off by gamma_m sum_i |c_i| |P_ij|, together
// fp32_slack(m, |c| |P|) and, where it underflows, sqrt(d) times that of one value; the differences in double, off by
// 2^-50 (|q| + alpha |q0| + |c| |P|); and the rounding to float, u |R|. With e_R the sum of these, |r| <= |R| + e_R and
// |P r| <= |P R| + (1 + deviation) e_R, where P R in float is off by fp32_slack(d, |P| |R|) in each value.
// Roundings of the sums in double are less than 2^-40 of all terms' sizes together, which are multiples of |q| Y and
// alpha |q0| Y. alpha is a float, so it is the same number wherever it is used.
void drift_moves(const DriftTable& table, const DriftDirections& directions, ConstMatrixView queries,
                 ConstMatrixView references, std::span<const double> outside, std::span<DriftMove> result) {
  const std::size_t n = queries.rows(), d = queries.cols(), m = directions.count();
  const double largest = table.largest_norm;
  const double error = m > 0 ? table.projection_error(directions) : 0;
  Matrix query_drift(n, m), reference_drift(n, m), c(n, m), rest = Matrix::uninitialized(n, d), rest_drift(n, m);
  std::vector<double> mean(m);
  for (std::size_t i = 0; i < m; ++i)
    mean[i] = sum_of(d, [&](std::size_t j) { return directions.p(i, j) * table.mean[j]; });
  if (m > 0) {
    multiply_abt_into(queries, directions.p, query_drift);
    multiply_abt_into(references, directions.p, reference_drift);
  }
  std::vector<double> query_norms(n), reference_norms(n);
  for (std::size_t i = 0; i < n; ++i) {
    DriftMove& move = result[i];
    move = {};
    const float *query = queries.row(i).data(), *reference = references.row(i).data();
    const Products of{dot(query, query, d), dot(reference, reference, d), dot(query, reference, d),
                      query_drift.data() + i * m, reference_drift.data() + i * m};
    query_norms[i] = std::sqrt(of.query_square) * (1 + 0x1.0p-30);
    reference_norms[i] = std::sqrt(of.reference_square) * (1 + 0x1.0p-30);
    // Scores that may overflow are infinite, and then tell nothing.
    if (d > kMostDimensions || !(of.reference_square > 0) || !(query_norms[i] * largest < 0x1.0p126) ||
        !(reference_norms[i] * largest < 0x1.0p126))
      continue;
    const auto alpha = static_cast<float>(choose_alpha(of, m, mean, largest, outside[i]));
    if (!(alpha > 0) || !std::isfinite(alpha)) continue;
    move.alpha = alpha;
    move.valid = true;
    for (std::size_t j = 0; j < m; ++j) {
      c(i, j) = query_drift(i, j) - alpha * reference_drift(i, j);
      if (!std::isfinite(c(i, j))) move.valid = false;
    }
  }
  const Matrix back = m > 0 ? multiply(c.view(), directions.p.view()) : Matrix();
  for (std::size_t i = 0; i < n; ++i) {
    const float *query = queries.row(i).data(), *reference = references.row(i).data();
    float* values = rest.row(i).data();
    const double alpha = result[i].alpha;
    if (m > 0) {
      const float* common = back.row(i).data();
      for (std::size_t j = 0; j < d; ++j)
        values[j] = static_cast<float>(double{query[j]} - alpha * double{reference[j]} - double{common[j]});
    } else {
      for (std::size_t j = 0; j < d; ++j)
        values[j] = static_cast<float>(double{query[j]} - alpha * double{reference[j]});
    }
  }
  if (m > 0) multiply_abt_into(rest, directions.p, rest_drift);
  const double root = std::sqrt(static_cast<double>(d));
  for (std::size_t i = 0; i < n; ++i) {
    DriftMove& move = result[i];
    if (!move.valid) continue;
    const double common = norm_above(c.data() + i * m, m), spread = common * directions.norm;
    const double sizes = query_norms[i] + move.alpha * reference_norms[i];
    const double rest_norm = norm_above(rest.row(i).data(), d);
    const double rest_error = fp32_slack(m, spread) + (static_cast<double>(m) + 4) * root * 0x1.0p-149 +
                              0x1.0p-50 * (sizes + spread) + kFloatRoundoff * rest_norm;
    const double length = rest_norm + rest_error;
    const double leak = m == 0 ? 0
                               : norm_above(rest_drift.data() + i * m, m) * (1 + 0x1.0p-40) +
                                     fp32_slack(d, directions.norm * rest_norm) * std::sqrt(static_cast<double>(m)) +
                                     (1 + directions.deviation) * rest_error;
    std::copy_n(c.data() + i * m, m, move.coefficients.data());
    move.coefficients.back() = float_above(length);
    const double score_error = kFloatRoundoff * (1 + 0x1.0p-20) + static_cast<double>(d) * 0x1.0p-52;
    move.slack = (score_error + 0x1.0p-38) * sizes * largest + common * error + leak * 2 * largest +
                 fp32_slack(DriftMove::kWidth, (common + 2 * length) * 2 * largest) + (1 + move.alpha) * 0x1.0p-148;
    move.valid = std::isfinite(move.slack) && std::isfinite(move.coefficients.back());
  }
}

}  // namespace wordbridge
