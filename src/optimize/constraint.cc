#include "optimize/constraint.h"

#include <algorithm>

#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// All matrices.
class Unconstrained final : public Constraint {
 public:
  std::string name() const override { return "none"; }
  MatrixD project(MatrixD w) const override { return w; }
};

/// The unit ball of the spectral norm, the convex hull of the orthogonal matrices (the paper's C_d): singular values
/// above 1 are cut to 1.
class SpectralConstraint final : public Constraint {
 public:
  std::string name() const override { return "spectral"; }
  MatrixD project(MatrixD w) const override {
    Svd parts = svd(w);
    // Singular values that a projection left at 1 come back as 1 + a few roundoffs: such a W is inside already and
    // stays as it is, bit for bit.
    constexpr double kInside = 1 + 1e-12;
    if (parts.s.empty() || parts.s.front() <= kInside) return w;
    for (std::size_t i = 0; i < parts.s.size(); ++i) {
      const double value = std::min(parts.s[i], 1.0);
      for (double& element : parts.vt.row(i)) element *= value;
    }
    return multiply(parts.u, parts.vt);
  }
};

/// The orthogonal matrices O_d: all singular values are set to 1. Where d_s != d_t these are the semi-orthogonal
/// matrices (W Wᵀ = I or Wᵀ W = I, whichever is smaller).
class OrthogonalConstraint final : public Constraint {
 public:
  std::string name() const override { return "orthogonal"; }
  MatrixD project(MatrixD w) const override { return nearest_orthogonal(w); }
};

}  // namespace

std::unique_ptr<Constraint> make_constraint(std::string_view name) {
  if (name == "none") return std::make_unique<Unconstrained>();
  if (name == "spectral") return std::make_unique<SpectralConstraint>();
  if (name == "orthogonal") return std::make_unique<OrthogonalConstraint>();
  throw UsageError("unknown constraint '" + std::string(name) + "' (known: none, spectral, orthogonal)");
}

}  // namespace wordbridge
