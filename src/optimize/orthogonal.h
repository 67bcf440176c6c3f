#pragma once
#include "optimize/constraint.h"

namespace wordbridge {

/// The orthogonal matrices O_d: all singular values are set to 1. Where d_s != d_t these are the semi-orthogonal
/// matrices (W Wᵀ = I or Wᵀ W = I, whichever is smaller).
class OrthogonalConstraint : public Constraint {
 public:
  std::string name() const override { return "orthogonal"; }
  MatrixD project(MatrixD w) const override;
};

}  // namespace wordbridge
