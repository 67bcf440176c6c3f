#include "retrieval/rerank/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace wordbridge {

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add_scaled(double factor, const Vector& from, Vector& to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

/// The last steps s and changes of the gradient y, which stand for the inverse Hessian.
class InverseHessian {
 public:
  explicit InverseHessian(std::size_t memory) : memory_(memory) {}

  void add(Vector step, Vector change) {
    const double curvature = dot(step, change);
    if (!(curvature > 1e-12 * dot(change, change))) return;  // it would not stay positive definite
    pairs_.push_back({std::move(step), std::move(change), 1 / curvature});
    if (pairs_.size() > memory_) pairs_.pop_front();
  }
  void clear() { pairs_.clear(); }

  /// Minus its product with the gradient, by the two-loop recursion.
  Vector direction(const Vector& gradient) const {
    Vector result = gradient;
    std::vector<double> factors(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      factors[i] = pairs_[i].inverse_curvature * dot(pairs_[i].step, result);
      add_scaled(-factors[i], pairs_[i].change, result);
    }
    if (!pairs_.empty()) {
      const Pair& last = pairs_.back();
      const double scale = 1 / (last.inverse_curvature * dot(last.change, last.change));
      for (double& value : result) value *= scale;
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double back = pairs_[i].inverse_curvature * dot(pairs_[i].change, result);
      add_scaled(factors[i] - back, pairs_[i].step, result);
    }
    for (double& value : result) value = -value;
    return result;
  }

 private:
  struct Pair {
    Vector step, change;
    double inverse_curvature;
  };
  std::size_t memory_;
  std::deque<Pair> pairs_;
};

struct Point {
  Vector x, gradient;
  double value = 0;
};

/// Halves the step until the value falls by a part of what the gradient promises (Armijo); false where it never does.
bool search_along(const SmoothFunction& function, const Vector& direction, double first_step, const Point& from,
                  Point& to) {
  constexpr double kDecrease = 1e-4;
  constexpr int kMostHalvings = 40;
  const double slope = dot(from.gradient, direction);
  if (!(slope < 0)) return false;
  double step = first_step;
  for (int i = 0; i < kMostHalvings; ++i, step /= 2) {
    to.x = from.x;
    add_scaled(step, direction, to.x);
    to.value = function(to.x, to.gradient);
    if (to.value <= from.value + kDecrease * step * slope) return true;
  }
  return false;
}

double largest_element(const Vector& vector) {
  double largest = 0;
  for (const double value : vector) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

std::vector<double> minimize_lbfgs(const SmoothFunction& function, std::vector<double> start,
                                   const LbfgsOptions& options) {
  Point here{std::move(start), {}};
  here.gradient.resize(here.x.size());
  here.value = function(here.x, here.gradient);
  Point there{{}, Vector(here.x.size())};
  InverseHessian inverse(options.memory);
  bool is_fresh = true;
  for (std::size_t i = 0; i < options.most_iterations; ++i) {
    const double largest = largest_element(here.gradient);
    if (largest <= options.gradient_tolerance) break;
    const double first_step = is_fresh ? 1 / std::max(1.0, std::sqrt(dot(here.gradient, here.gradient))) : 1;
    if (!search_along(function, inverse.direction(here.gradient), first_step, here, there)) {
      if (is_fresh) break;
      inverse.clear();  // along the gradient, then
      is_fresh = true;
      continue;
    }
    Vector step = there.x, change = there.gradient;
    add_scaled(-1, here.x, step);
    add_scaled(-1, here.gradient, change);
    inverse.add(std::move(step), std::move(change));
    is_fresh = false;
    std::swap(here, there);
  }
  return here.x;
}

}  // namespace wordbridge
