#include "optimize/objective_test_support.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/random.h"

namespace wordbridge {

std::vector<Lexicon::Pair> random_pairs(std::size_t count, std::size_t source_rows, std::size_t target_rows,
                                        std::uint64_t seed) {
  Random random(seed);
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  std::vector<Lexicon::Pair> pairs;
  while (pairs.size() < count) {
    const Lexicon::Pair pair{static_cast<std::uint32_t>(random.index(source_rows)),
                             static_cast<std::uint32_t>(random.index(target_rows))};
    if (seen.insert({pair.source, pair.target}).second) pairs.push_back(pair);
  }
  return pairs;
}

std::vector<Lexicon::Pair> with_random_weights(std::vector<Lexicon::Pair> pairs, std::uint64_t seed) {
  Random random(seed);
  for (Lexicon::Pair& pair : pairs) pair.weight = 0.1 + 1.9 * random.uniform();
  return pairs;
}

namespace {

using Vector = std::vector<double>;

Vector row_of(ConstMatrixView table, std::size_t i) { return {table.row(i).begin(), table.row(i).end()}; }

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// M over the k rows with the largest scores, and sum of p times row.
std::pair<double, Vector> neighbor_part(const Vector& query, ConstMatrixView pool, const NeighborTerm& term,
                                        std::size_t k) {
  std::vector<std::pair<double, std::size_t>> scored;
  for (std::size_t i = 0; i < pool.rows(); ++i) {
    const Vector row = row_of(pool, i);
    if (dot(row, row) > 0) scored.emplace_back(-dot(query, row), i);
  }
  std::sort(scored.begin(), scored.end());
  scored.resize(std::min(k, scored.size()));
  Vector scores, weights(scored.size()), sum(query.size());
  for (const auto& [negated, row] : scored) scores.push_back(-negated);
  const double value = term.evaluate(scores, weights);
  for (std::size_t n = 0; n < scored.size(); ++n)
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += weights[n] * pool(scored[n].second, j);
  return {value, sum};
}

}  // namespace

ObjectiveValue plain_rcsls(ConstMatrixView source_table, ConstMatrixView target_table,
                           std::span<const Lexicon::Pair> pairs, ConstMatrixView source_pool,
                           ConstMatrixView target_pool, const NeighborTerm& term, std::size_t k, ConstMatrixViewD w) {
  ObjectiveValue value;
  value.gradient_sum = MatrixD(w.rows(), w.cols());
  for (const Lexicon::Pair& pair : pairs) {
    const Vector x = row_of(source_table, pair.source), y = row_of(target_table, pair.target);
    Vector mapped(w.rows()), pulled(w.cols());
    for (std::size_t a = 0; a < w.rows(); ++a)
      for (std::size_t b = 0; b < w.cols(); ++b) {
        mapped[a] += w(a, b) * x[b];
        pulled[b] += w(a, b) * y[a];
      }
    const auto [forward, s] = neighbor_part(mapped, target_pool, term, k);
    const auto [backward, r] = neighbor_part(pulled, source_pool, term, k);
    value.pairs += pair.weight;
    value.loss_sum += pair.weight * (-2 * dot(mapped, y) + forward + backward);
    for (std::size_t a = 0; a < w.rows(); ++a)
      for (std::size_t b = 0; b < w.cols(); ++b)
        value.gradient_sum(a, b) += pair.weight * (-2 * y[a] * x[b] + s[a] * x[b] + y[a] * r[b]);
  }
  return value;
}

double gradient_error(const std::function<ObjectiveValue(ConstMatrixViewD)>& evaluate, ConstMatrixViewD w, double step,
                      std::uint64_t seed) {
  const ObjectiveValue at = evaluate(w);
  Random random(seed);
  double largest = 0;
  for (int trial = 0; trial < 12; ++trial) {
    MatrixD direction(w.rows(), w.cols());
    if (trial % 2 == 0) {
      double square = 0;
      for (double& element : direction.elements()) {
        element = random.normal();
        square += element * element;
      }
      for (double& element : direction.elements()) element /= std::sqrt(square);
    } else {
      direction(random.index(w.rows()), random.index(w.cols())) = 1;
    }
    MatrixD plus = MatrixD::copy_of(w), minus = plus;
    double claimed = 0;
    for (std::size_t i = 0; i < direction.size(); ++i) {
      plus.data()[i] += step * direction.data()[i];
      minus.data()[i] -= step * direction.data()[i];
      claimed += at.gradient_sum.data()[i] / at.pairs * direction.data()[i];
    }
    const double measured = (evaluate(plus).loss() - evaluate(minus).loss()) / (2 * step);
    largest = std::max(largest, std::abs(claimed - measured));
  }
  return largest;
}

}  // namespace wordbridge
