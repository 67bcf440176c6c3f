#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/matrix.h"

namespace [[gnu::visibility("default")]] wordbridge {

/// A chain of normalization steps, fitted once on the table that training uses and applied unchanged ever after.
/// `unit` brings each row to length 1, `center` subtracts the column means of the fitted table. A zero row stays zero
/// in every step, is outside the means and takes part in nothing.
class Normalizer {
 public:
  enum class Step { unit, center };
  /// A step, as front ends (command line, Python) offer it.
  struct StepInfo {
    Step step;
    std::string_view name;
    std::string_view summary;
  };
  /// All steps that there are.
  static std::span<const StepInfo> known_steps();

  /// The chain that does nothing.
  Normalizer() = default;

  /// "unit", "unit,center,unit", "none"; UsageError for anything else.
  static std::vector<Step> parse(std::string_view chain);
  /// Fits the chain on the table and applies it in place.
  static Normalizer fit(std::span<const Step> steps, MatrixView table);
  /// From stored parts: one mean per `center`, in order.
  static Normalizer from_parts(std::vector<Step> steps, std::vector<std::vector<float>> means);

  /// Applies the fitted chain to rows of the same dimension, in place.
  void apply(MatrixView rows) const;

  /// "unit,center,unit", or "none".
  std::string name() const;
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<std::vector<float>>& means() const { return means_; }

  friend bool operator==(const Normalizer&, const Normalizer&) = default;

 private:
  std::vector<Step> steps_;
  std::vector<std::vector<float>> means_;
};

/// Brings each row to length 1; zero rows stay.
void normalize_rows(MatrixView rows);

}  // namespace wordbridge
