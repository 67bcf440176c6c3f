#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/int8/rotation.h"
#include "search/kernels/kernels.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// A vector x in units of 2^e: x = lead v + r, where v is the leading direction of the table, and the rotation T of the
/// rest r is in span i of its coordinates scale rho_i c + delta, with codes c of 8 bits. `scale` and `lead` are floats
/// because the kernels use them; what their rounding loses is in the residuals, which are bounds: the true values are
/// at most as large.
struct Int8Code {
  float scale = 0;  // >= 0; 0: all codes are 0
  float lead = 0;
  double rest_norm = 0;  // |r|
  double code_norm = 0;  // scale |rho c|
  double residual = 0;   // |delta| = |T r - scale rho c|
  double off_lead = 0;   // |<v, r>|, which is not quite 0
};

/// Turns vectors into codes of 8 bits for one table and one kernel, with bounds on all that is lost.
///
/// A table is plain or staged. In a plain one T spreads the energy over all coordinates, and each rho_i is 1. In a
/// staged one T puts the principal axes first, so that a product can be given up when its first spans and the norms of
/// what is left tell that it is too small; rho_i follows the size of the span, so that all codes use their range. The
/// rows of a table have one rho, and each block of queries its own: theirs may be spread in another way.
class Int8Encoder {
 public:
  /// The leading direction and the axes are those of (a sample of) the rows. Any would do: good ones make bounds tight.
  /// Small tables are plain even where `may_stage`.
  Int8Encoder(ConstMatrixView table, const Kernels& kernels, bool may_stage);

  /// What an encoder is made of; nothing in it depends on more of the kernel than the form of its codes.
  struct Parts {
    std::size_t dimension = 0, code_count = 0, span_groups = 0;
    std::vector<float> lead = {};  // code_count
    std::vector<double> span_factors = {};
    std::shared_ptr<const PrincipalRotation> axes = nullptr;  // nullptr: plain
  };
  /// The parts must be those of an encoder for kernels with the same codes.
  Int8Encoder(Parts parts, const Kernels& kernels);
  Parts parts() const { return {dimension_, code_count_, span_groups_, lead_, span_factors_, axes_}; }
  const FilterKernel& kernel() const { return *kernel_; }
  std::size_t dimension() const { return dimension_; }
  /// Codes a vector: dimension() filled up as the kernel wants it, 4 a group, cut into spans.
  std::size_t code_count() const { return code_count_; }
  std::size_t groups() const { return code_count_ / 4; }
  std::size_t span_groups() const { return span_groups_; }
  std::size_t spans() const { return span_factors_.size(); }
  /// rho of each span of the rows: whole numbers.
  const std::vector<double>& span_factors() const { return span_factors_; }
  /// How many spans, before the last, are followed by a check (FilterJob): none where the table is plain.
  std::size_t checks() const { return staged() ? spans() / 2 : 0; }
  /// At least the norm of the leading direction.
  double lead_norm() const { return lead_norm_; }
  bool staged() const { return axes_ != nullptr; }
  /// The leading principal axes of a staged table, one a row.
  const Matrix& leading_axes() const { return axes_->leading_axes(); }
  /// Some rows of the table without their leading direction, filled up to code_count() values of at most about 1.
  Matrix sample_of(ConstMatrixView table) const;

  /// Vectors that are encoded together: the products of a rotation want several.
  static constexpr std::size_t kMostTogether = 64;
  /// The result of encode(), and the memory that it needs for itself.
  struct Block {
    explicit Block(const Int8Encoder& encoder);

    BasicMatrix<std::int8_t> codes;  // kMostTogether x code_count()
    std::vector<Int8Code> vectors;
    MatrixD tails;  // kMostTogether x checks(): |what is left of T r|, at each check
    BasicMatrix<std::int32_t>
        corrections;  // kMostTogether x spans(): what the sums of a span start from (FilterKernel)

   private:
    friend class Int8Encoder;
    struct Rest {
      double unit, rounding, rounded_norm;
    };
    std::vector<Rest> rest_;
    Matrix unrotated_, rotated_;
  };
  /// Encodes some vectors, none of them zero, in units of 2^exponents[i], which should not be less than their sizes.
  void encode(std::span<const float* const> vectors, std::span<const int> exponents, std::span<const double> factors,
              Block& block) const;
  /// The factors that suit such vectors; all 1 where the table is plain.
  std::vector<double> factors_for(std::span<const float* const> vectors, std::span<const int> exponents,
                                  Block& block) const;

 private:
  void take_lead_off(const float* x, int exponent, std::size_t i, Block& block) const;
  void rotate(std::span<const float* const> vectors, std::span<const int> exponents, Block& block) const;
  void quantize(std::size_t i, std::span<const double> factors, Block& block) const;
  std::int32_t correction(const CodeSums& span) const;

  const FilterKernel* kernel_;
  const EncodeKernel* loops_;
  std::size_t dimension_, code_count_, span_groups_;
  std::vector<float> lead_;  // filled up with zeros
  double lead_norm_;
  HadamardRotation spread_;
  std::shared_ptr<const PrincipalRotation> axes_;  // nullptr: plain
  std::vector<double> span_factors_;
};

/// The e for which the largest |value| is in [2^e, 2^(e+1)); 0 if all values are 0.
int exponent_of(const float* values, std::size_t count, const EncodeKernel& kernel);

}  // namespace wordbridge
