#include "optimize/constraint.h"

#include "optimize/orthogonal.h"
#include "optimize/spectral.h"
#include "optimize/unconstrained.h"
#include "wordbridge/error.h"

namespace wordbridge {

std::unique_ptr<Constraint> make_constraint(std::string_view name) {
  if (name == "none") return std::make_unique<Unconstrained>();
  if (name == "spectral") return std::make_unique<SpectralConstraint>();
  if (name == "orthogonal") return std::make_unique<OrthogonalConstraint>();
  throw UsageError("unknown constraint '" + std::string(name) + "' (known: none, spectral, orthogonal)");
}

}  // namespace wordbridge
