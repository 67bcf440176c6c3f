#include "optimize/spectral.h"

#include <algorithm>

#include "linalg/blas.h"
#include "linalg/lapack.h"

namespace wordbridge {

MatrixD SpectralConstraint::project(MatrixD w) const {
  Svd parts = svd(w);
  // Singular values that a projection left at 1 come back as 1 + a few roundoffs: such a W is inside already and stays
  // as it is, bit for bit.
  constexpr double kInside = 1 + 1e-12;
  if (parts.s.empty() || parts.s.front() <= kInside) return w;
  for (std::size_t i = 0; i < parts.s.size(); ++i) {
    const double value = std::min(parts.s[i], 1.0);
    for (double& element : parts.vt.row(i)) element *= value;
  }
  return multiply(parts.u, parts.vt);
}

}  // namespace wordbridge
