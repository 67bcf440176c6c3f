#pragma once
#include <functional>
#include <span>
#include <vector>

namespace wordbridge {

struct LbfgsOptions {
  std::size_t memory = 10;  // steps that the curvature is taken from
  std::size_t most_iterations = 300;
  double gradient_tolerance = 1e-6;  // it ends where no element of the gradient is larger
};

/// The value of a smooth function at x; writes its gradient.
using SmoothFunction = std::function<double(std::span<const double> x, std::span<double> gradient)>;

/// A minimum near the start, by limited-memory BFGS (Nocedal 1980) with backtracking line search: each step lowers the
/// value.
std::vector<double> minimize_lbfgs(const SmoothFunction& function, std::vector<double> start,
                                   const LbfgsOptions& options = {});

}  // namespace wordbridge
