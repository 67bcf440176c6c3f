#pragma once
#include "optimize/constraint.h"

namespace wordbridge {

/// All matrices.
class Unconstrained : public Constraint {
 public:
  std::string name() const override { return "none"; }
  MatrixD project(MatrixD w) const override { return w; }
};

}  // namespace wordbridge
