#include "optimize/orthogonal.h"

#include "linalg/lapack.h"

namespace wordbridge {

MatrixD OrthogonalConstraint::project(MatrixD w) const { return nearest_orthogonal(w); }

}  // namespace wordbridge
