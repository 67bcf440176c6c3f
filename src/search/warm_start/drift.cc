#include "search/warm_start/drift.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/rounding.h"
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

// Let s be at least the score of y for q0. A score is <q, y> rounded: off by at most
//     e(|q|) = (u (1 + 2^-20) + d 2^-52) |q| Y + 2^-149,   u = 2^-24
// so <q0, y> <= s + e(|q0|), and with the floats z near P y (|z - P y| <= e_z, DriftTable)
//     <q, y> = alpha <q0, y> + <c, P y> + <r, y>
//     <c, P y> <= <c, z> + |c| e_z
//     <r, y> = <r, y - Pᵀ z> + <P r, z> <= |r| w + |P r| |z|
// for any P, alpha >= 0 and c. Hence the bound of DriftMove with
//     K = alpha e(|q0|) + e(|q|) + |c| e_z + |P r| |z| + (roundings in double).
// |z| is at most 2 Y (DriftExtents).
//
// r is computed as a vector R of floats: Pᵀ c in float, each of d values off by gamma_m sum_i |c_i| |P_ij|, together
// fp32_slack(m, |c| |P|) and, where it underflows, sqrt(d) times that of one value; the differences in double, off by
// 2^-50 (|q| + alpha |q0| + |c| |P|); and the rounding to float, u |R|. With e_R the sum of these, |r| <= |R| + e_R and
// |P r| <= |P R| + (1 + deviation) e_R, where P R in float is off by fp32_slack(d, |P| |R|) in each value.
// Roundings of the sums in double are less than 2^-40 of all terms' sizes together, which are multiples of |q| Y and
// alpha |q0| Y. alpha is a float, so it is the same number wherever it is used.
/// The moves of some queries while they are computed: one row of each matrix a query.
class DriftMoves {
 public:
  DriftMoves(const DriftTable& table, const DriftDirections& directions, ConstMatrixView queries,
             ConstMatrixView references)
      : table_(table),
        directions_(directions),
        queries_(queries),
        references_(references),
        m_(directions.count()),
        c_(queries.rows(), m_),
        rest_(Matrix::uninitialized(queries.rows(), queries.cols())),
        rest_drift_(queries.rows(), m_),
        query_norms_(queries.rows()),
        reference_norms_(queries.rows()) {}

  /// Chooses alpha and c; leaves moves that tell nothing invalid.
  void choose(std::span<const double> scores, std::span<DriftMove> moves);
  /// r = q - alpha q0 - Pᵀ c, as floats, and P r.
  void find_rests(std::span<const DriftMove> moves);
  /// |r| and the slack.
  void bound(std::size_t i, DriftMove& move) const;

 private:
  bool can_overflow(std::size_t i) const {
    return !(query_norms_[i] * table_.largest_norm < 0x1.0p126) ||
           !(reference_norms_[i] * table_.largest_norm < 0x1.0p126);
  }

  const DriftTable& table_;
  const DriftDirections& directions_;
  ConstMatrixView queries_, references_;
  std::size_t m_;
  Matrix c_, rest_, rest_drift_;
  std::vector<double> query_norms_, reference_norms_;
};

void DriftMoves::choose(std::span<const double> scores, std::span<DriftMove> moves) {
  const std::size_t n = queries_.rows(), d = queries_.cols();
  Matrix query_drift(n, m_), reference_drift(n, m_);
  std::vector<double> mean(m_);
  for (std::size_t i = 0; i < m_; ++i)
    mean[i] = sum_of(d, [&](std::size_t j) { return directions_.p(i, j) * table_.mean[j]; });
  if (m_ > 0) {
    multiply_abt_into(queries_, directions_.p, query_drift);
    multiply_abt_into(references_, directions_.p, reference_drift);
  }
  for (std::size_t i = 0; i < n; ++i) {
    DriftMove& move = moves[i];
    move = {};
    const float *query = queries_.row(i).data(), *reference = references_.row(i).data();
    const Products of{dot(query, query, d), dot(reference, reference, d), dot(query, reference, d),
                      query_drift.data() + i * m_, reference_drift.data() + i * m_};
    query_norms_[i] = std::sqrt(of.query_square) * (1 + 0x1.0p-30);
    reference_norms_[i] = std::sqrt(of.reference_square) * (1 + 0x1.0p-30);
    // Scores that may overflow are infinite, and then tell nothing.
    if (d > kMostDimensions || !(of.reference_square > 0) || can_overflow(i)) continue;
    const auto alpha = static_cast<float>(choose_alpha(of, m_, mean, table_.largest_norm, scores[i]));
    if (!(alpha > 0) || !std::isfinite(alpha)) continue;
    move.alpha = alpha;
    move.valid = true;
    for (std::size_t j = 0; j < m_; ++j) {
      c_(i, j) = query_drift(i, j) - alpha * reference_drift(i, j);
      if (!std::isfinite(c_(i, j))) move.valid = false;
    }
  }
}

void DriftMoves::find_rests(std::span<const DriftMove> moves) {
  const Matrix back = m_ > 0 ? multiply(c_.view(), directions_.p.view()) : Matrix();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const float *query = queries_.row(i).data(), *reference = references_.row(i).data();
    const float* common = m_ > 0 ? back.row(i).data() : nullptr;
    float* values = rest_.row(i).data();
    const double alpha = moves[i].alpha;
    for (std::size_t j = 0; j < queries_.cols(); ++j) {
      const double moved = double{query[j]} - alpha * double{reference[j]};
      values[j] = static_cast<float>(common == nullptr ? moved : moved - double{common[j]});
    }
  }
  if (m_ > 0) multiply_abt_into(rest_, directions_.p, rest_drift_);
}

void DriftMoves::bound(std::size_t i, DriftMove& move) const {
  const std::size_t d = queries_.cols();
  const double largest = table_.largest_norm, error = m_ > 0 ? table_.projection_error(directions_) : 0;
  const double root = std::sqrt(static_cast<double>(d));
  const double common = norm_above(c_.data() + i * m_, m_), spread = common * directions_.norm;
  const double sizes = query_norms_[i] + move.alpha * reference_norms_[i];
  const double rest_norm = norm_above(rest_.row(i).data(), d);
  const double rest_error = fp32_slack(m_, spread) + (static_cast<double>(m_) + 4) * root * 0x1.0p-149 +
                            0x1.0p-50 * (sizes + spread) + kFloatRoundoff * rest_norm;
  const double length = rest_norm + rest_error;
  const double leak = m_ == 0 ? 0
                              : norm_above(rest_drift_.data() + i * m_, m_) * (1 + 0x1.0p-40) +
                                    fp32_slack(d, directions_.norm * rest_norm) * std::sqrt(static_cast<double>(m_)) +
                                    (1 + directions_.deviation) * rest_error;
  std::copy_n(c_.data() + i * m_, m_, move.common.data());
  move.rest = float_above(length);
  const double score_error = kFloatRoundoff * (1 + 0x1.0p-20) + static_cast<double>(d) * 0x1.0p-52;
  move.slack =
      (score_error + 0x1.0p-38) * sizes * largest + common * error + leak * 2 * largest + (1 + move.alpha) * 0x1.0p-148;
  move.valid = std::isfinite(move.slack) && std::isfinite(move.rest);
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

void drift_moves(const DriftTable& table, const DriftDirections& directions, ConstMatrixView queries,
                 ConstMatrixView references, std::span<const double> scores, std::span<DriftMove> result) {
  DriftMoves moves(table, directions, queries, references);
  moves.choose(scores, result);
  moves.find_rests(result);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (result[i].valid) moves.bound(i, result[i]);
}

namespace {

constexpr std::size_t kRowsTogether = 2048;  // that a thread takes at a time, about

}  // namespace

DriftExtents::DriftExtents(ConstMatrixView table, std::span<const std::uint32_t> ids, std::size_t block_rows,
                           const DriftTable& measures, const DriftDirections& directions)
    : extents_((ids.size() + block_rows - 1) / block_rows, kWidth) {
  const double error = directions.count() > 0 ? measures.projection_error(directions) : 0;
  const std::size_t chunk = std::max<std::size_t>(1, kRowsTogether / block_rows);
  ThreadPool::current().for_chunks(extents_.rows(), chunk, [&](std::size_t begin, std::size_t end, int) {
    const std::size_t first = begin * block_rows, last = std::min(ids.size(), end * block_rows);
    const auto some = ids.subspan(first, last - first);
    const Matrix z = directions.count() > 0 ? multiply_abt(gather_rows(table, some), directions.p.view()) : Matrix();
    for (std::size_t block = begin; block < end; ++block) {
      const std::size_t from = (block - begin) * block_rows, count = std::min(block_rows, some.size() - from);
      measure_block(some.subspan(from, count), z.empty() ? ConstMatrixView() : z.view().slice(from, from + count),
                    measures, directions, error, extents_.row(block).data());
    }
  });
  for (std::size_t block = 0; block < extents_.rows(); ++block)
    largest_ = std::max(largest_, norm_above(extents_.row(block).data(), kWidth));
}

// w: with z within e_z of P y and |P Pᵀ - I| <= deviation,
//     |y - Pᵀ z|^2 = |y|^2 - 2 <P y, z> + |Pᵀ z|^2 <= |y|^2 - (1 - deviation) |z|^2 + 2 e_z |z|.
// |z| <= sqrt(1 + deviation) Y + e_z, which is less than 2 Y with both errors below 0.01
// (DriftTable::can_be_projected).
void DriftExtents::measure_block(std::span<const std::uint32_t> ids, ConstMatrixView z, const DriftTable& measures,
                                 const DriftDirections& directions, double error, float* extent) const {
  const std::size_t m = directions.count();
  for (std::size_t j = 0; j < m; ++j) extent[j] = extent[kMostDirections + j] = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    double square = 0;
    for (std::size_t j = 0; j < m; ++j) {
      const float value = z(i, j);
      square += double{value} * double{value};
      extent[j] = std::max(extent[j], value);
      extent[kMostDirections + j] = std::max(extent[kMostDirections + j], -value);
    }
    const double norm = measures.norms[ids[i]];
    const double rest = norm * norm * (1 + 0x1.0p-48) - (1 - directions.deviation) * square +
                        2 * error * std::sqrt(square) * (1 + 0x1.0p-48);
    float& width = extent[2 * kMostDirections];
    width = std::max(width, float_above(std::sqrt(std::max(0.0, rest)) * (1 + 0x1.0p-50)));
  }
}

void DriftExtents::gains(std::span<const DriftMove> moves, MatrixView gains, std::span<double> slacks) const {
  assert(gains.rows() == moves.size() && gains.cols() == blocks() && slacks.size() == moves.size());
  Matrix coefficients(moves.size(), kWidth);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    float* row = coefficients.row(i).data();
    for (std::size_t j = 0; j < kMostDirections; ++j) {
      row[j] = std::max(moves[i].common[j], 0.0f);
      row[kMostDirections + j] = std::max(-moves[i].common[j], 0.0f);
    }
    row[2 * kMostDirections] = moves[i].rest;
    slacks[i] = fp32_slack(kWidth + 8, norm_above(row, kWidth) * largest_ * (1 + 0x1.0p-40));
  }
  multiply_abt_into(coefficients, extents_, gains);
}

}  // namespace wordbridge
