#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wordbridge/linalg/matrix.h"
#include "wordbridge/neighbors/hadamard_rotation.h"
#include "wordbridge/neighbors/kernels.h"

namespace wordbridge {

/// A vector x in units of 2^e: x = lead v + r, where v is the leading direction of the table, and the rotation T of the
/// rest r is scale c + delta with codes c of 8 bits. `scale` and `lead` are floats because the kernels use them; what
/// their rounding loses is in the residuals, which are bounds: the true values are at most as large.
struct Int8Code {
  float scale = 0;  // >= 0; 0: all codes are 0
  float lead = 0;
  double rest_norm = 0;  // |r|
  double code_norm = 0;  // scale |c|
  double residual = 0;   // |delta| = |T r - scale c|
  double off_lead = 0;   // |<v, r>|, which is not quite 0
};

/// Turns vectors into codes of 8 bits for one table and one kernel, with bounds on all that is lost.
class Int8Encoder {
 public:
  /// The leading direction is that of (a sample of) the rows. Any would do: a good one makes bounds tight.
  Int8Encoder(ConstMatrixView table, const ScreenKernel& kernel);

  const ScreenKernel& kernel() const { return *kernel_; }
  std::size_t dimension() const { return dimension_; }
  /// Codes a vector: dimension() filled up as the kernel wants it, 4 a group, cut into spans.
  std::size_t code_count() const { return code_count_; }
  std::size_t groups() const { return code_count_ / 4; }
  std::size_t span_groups() const { return span_groups_; }
  std::size_t spans() const { return (groups() + span_groups_ - 1) / span_groups_; }
  /// At least the norm of the leading direction.
  double lead_norm() const { return lead_norm_; }

  /// Memory that encode() needs for itself.
  struct Scratch {
    std::vector<double> values;
    std::vector<float> rotated;
  };
  /// Encodes x, not zero, in units of 2^exponent, which should not be less than the size of x; writes code_count()
  /// codes.
  Int8Code encode(const float* x, int exponent, std::int8_t* codes, Scratch& scratch) const;

  /// What the sums of each span start from: spans() numbers (see ScreenKernel).
  void corrections(const std::int8_t* codes, std::int32_t* result) const;

 private:
  double span_norm(const std::int8_t* codes) const;

  const ScreenKernel* kernel_;
  std::size_t dimension_, code_count_, span_groups_;
  std::vector<float> lead_;  // filled up with zeros
  double lead_norm_;
  HadamardRotation rotation_;
};

/// The e for which the largest |value| is in [2^e, 2^(e+1)); 0 if all values are 0.
int exponent_of(const float* values, std::size_t count);

}  // namespace wordbridge
