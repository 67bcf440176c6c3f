#pragma once
#include "optimize/constraint.h"

namespace wordbridge {

/// The unit ball of the spectral norm, the convex hull of the orthogonal matrices (the paper's C_d): singular values
/// above 1 are cut to 1.
class SpectralConstraint : public Constraint {
 public:
  std::string name() const override { return "spectral"; }
  MatrixD project(MatrixD w) const override;
};

}  // namespace wordbridge
