#pragma once
#include <span>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// Brings columns to mean 0 and deviation 1, and cuts what is farther away than six deviations.
class Standardization {
 public:
  static constexpr double kCut = 6;

  Standardization() = default;
  /// As stored; deviations are positive.
  Standardization(std::vector<double> means, std::vector<double> deviations);
  /// Of all rows of some tables, which have as many columns; a column that is the same everywhere keeps deviation 1.
  static Standardization fit(std::span<const MatrixD* const> tables);

  void apply(MatrixViewD rows) const;

  const std::vector<double>& means() const { return means_; }
  const std::vector<double>& deviations() const { return deviations_; }

 private:
  std::vector<double> means_, deviations_;
};

}  // namespace wordbridge
