#include "align/unsupervised/closest_points.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/rows.h"
#include "search/neighbor_search.h"

namespace wordbridge {

namespace {

using Ids = std::vector<std::uint32_t>;

/// For each query q the row of `points` that is nearest to it: argmax <q, y> - ‖y‖²/2, a search with one more
/// dimension.
Ids nearest(const Matrix& queries, const Matrix& points) {
  const std::size_t p = points.cols();
  Matrix table = Matrix::uninitialized(points.rows(), p + 1), extended = Matrix::uninitialized(queries.rows(), p + 1);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    double square = 0;
    for (std::size_t j = 0; j < p; ++j) square += static_cast<double>(table(i, j) = points(i, j)) * points(i, j);
    table(i, p) = static_cast<float>(-square / 2);
  }
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    std::ranges::copy(queries.row(i), extended.row(i).begin());
    extended(i, p) = 1;
  }
  return make_search(table)->search(extended, 1).ids;
}

double largest_eigenvalue(const MatrixD& symmetric) { return symmetric_eigen(symmetric).values.back(); }

/// The square of the spectral norm.
double square_norm(const MatrixD& m) { return largest_eigenvalue(multiply_atb(m.view(), m.view())); }

/// a += factor * b
void add(MatrixD& a, const MatrixD& b, double factor) {
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] += factor * b.data()[i];
}

/// mean ‖t - M s‖² over pairs of rows, from the mapped rows.
double mean_square_difference(const Matrix& mapped, const Matrix& wanted) {
  double sum = 0;
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    const double difference = static_cast<double>(mapped.data()[i]) - wanted.data()[i];
    sum += difference * difference;
  }
  return sum / static_cast<double>(mapped.rows());
}

/// Second moments of one direction's fit: inputs s_i and what they should become, t_i, summed over pairs.
struct Moments {
  MatrixD inputs;  // S = sum s sᵀ / n
  MatrixD cross;   // C = sum t sᵀ / n
};

MatrixD moment(const Matrix& a, const Matrix& b) {
  MatrixD result = multiply_atb(a.view(), b.view());
  for (double& value : result.elements()) value /= static_cast<double>(a.rows());
  return result;
}

Matrix draw(const Matrix& points, std::size_t count, Random& random) {
  const auto drawn = random.sample(points.rows(), std::min(count, points.rows()));
  return gather_rows(points, Ids(drawn.begin(), drawn.end()));
}

/// One step on M (from a to b) with the other way N held fixed:
///   gradient / 2 = (M S - C) - cycle [ Nᵀ (I - N M) G_a + (I - M N) G_b Nᵀ ]
void step(MatrixD& m, const MatrixD& n, const Moments& moments, double rate, const MatrixD& gram_a,
          const MatrixD& gram_b, double cycle) {
  MatrixD gradient = multiply(m, moments.inputs);
  add(gradient, moments.cross, -1);
  const MatrixD identity = MatrixD::identity(m.rows());
  MatrixD there = identity, back = identity;
  add(there, multiply(n, m), -1);
  add(back, multiply(m, n), -1);
  add(gradient, multiply(multiply_atb(n.view(), there.view()), gram_a), -cycle);
  add(gradient, multiply_abt(multiply(back, gram_b), n), -cycle);
  add(m, gradient, -rate);
}

}  // namespace

ClosestPoints::ClosestPoints(const Matrix& x, const Matrix& y, double cycle)
    : x_(x),
      y_(y),
      cycle_(cycle),
      gram_x_(moment(x, x)),
      gram_y_(moment(y, y)),
      gram_x_norm_(largest_eigenvalue(gram_x_)),
      gram_y_norm_(largest_eigenvalue(gram_y_)) {}

BothWays ClosestPoints::run(BothWays maps, int iterations, std::size_t batch, std::uint64_t seed) const {
  Random random(seed);
  for (int t = 1; t <= iterations; ++t) {
    if (t == iterations || (batch >= x_.rows() && batch >= y_.rows()))
      iterate(maps, x_, y_);
    else
      iterate(maps, draw(x_, batch, random), draw(y_, batch, random));
  }
  return maps;
}

void ClosestPoints::iterate(BothWays& maps, const Matrix& x, const Matrix& y) const {
  const Matrix matched_x = gather_rows(x, nearest(y, multiply_abt(x, to_float(maps.forward))));
  const Matrix matched_y = gather_rows(y, nearest(x, multiply_abt(y, to_float(maps.backward))));
  fit(maps, x, y, matched_x, matched_y);
  maps.error = mean_square_difference(multiply_abt(matched_x, to_float(maps.forward)), y) +
               mean_square_difference(multiply_abt(matched_y, to_float(maps.backward)), x);
}

/// Gradient steps, from second moments only.
void ClosestPoints::fit(BothWays& maps, const Matrix& x, const Matrix& y, const Matrix& matched_x,
                        const Matrix& matched_y) const {
  constexpr int kSteps = 30;
  const Moments forward{moment(matched_x, matched_x), moment(y, matched_x)};
  const Moments backward{moment(matched_y, matched_y), moment(x, matched_y)};
  const double forward_norm = largest_eigenvalue(forward.inputs), backward_norm = largest_eigenvalue(backward.inputs);
  // Step lengths from the curvature at the start of the fit, with room for the maps to grow during it.
  const double grams = 1.5 * cycle_ * (gram_x_norm_ + gram_y_norm_);
  const double forward_rate = 1 / (forward_norm + grams * square_norm(maps.backward));
  const double backward_rate = 1 / (backward_norm + grams * square_norm(maps.forward));
  for (int s = 0; s < kSteps; ++s) {
    step(maps.forward, maps.backward, forward, forward_rate, gram_x_, gram_y_, cycle_);
    step(maps.backward, maps.forward, backward, backward_rate, gram_y_, gram_x_, cycle_);
  }
}

std::vector<Lexicon::Pair> ClosestPoints::mutual_pairs(const BothWays& maps) const {
  const Ids target_of = nearest(multiply_abt(x_, to_float(maps.forward)), y_);
  const Ids source_of = nearest(multiply_abt(y_, to_float(maps.backward)), x_);
  std::vector<Lexicon::Pair> pairs;
  for (std::uint32_t i = 0; i < target_of.size(); ++i)
    if (source_of[target_of[i]] == i) pairs.push_back({i, target_of[i]});
  return pairs;
}

}  // namespace wordbridge
