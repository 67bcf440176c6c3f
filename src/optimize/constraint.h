#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// A set of maps W (d_t x d_s) that an optimizer must stay in, given by its projection.
class Constraint {
 public:
  virtual ~Constraint() = default;
  /// "none", "spectral", "orthogonal": as on the command line.
  virtual std::string name() const = 0;
  /// The member of the set that is closest to W in the Frobenius norm.
  virtual MatrixD project(MatrixD w) const = 0;
};

/// The constraint of that name; UsageError for an unknown one.
std::unique_ptr<Constraint> make_constraint(std::string_view name);

}  // namespace wordbridge
