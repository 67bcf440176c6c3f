#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wordbridge/aligners/refinement.h"

namespace wordbridge::cli {

class Arguments;

/// Refinement after a method of `align`.
class RefinementChoice {
 public:
  /// `methods`: the names of what may refit.
  void declare(Arguments& arguments, const std::vector<std::string>& methods);

  /// Without --refine, this many rounds.
  void set_usual_rounds(const Arguments& arguments, std::uint64_t rounds);

  bool wanted() const { return rounds_ > 0; }
  /// The method that learns from the induced lexicons.
  const std::string& refit() const { return refit_; }
  /// UsageError for options that make no sense.
  RefinementOptions options() const;
  /// UsageError where options of refinement are given, but no rounds of it.
  void refuse_without_rounds(const Arguments& arguments) const;

 private:
  std::uint64_t rounds_ = 0, rank_ = RefinementOptions().max_rank, min_ = 0, max_ = 0;
  std::string refit_ = "procrustes", direction_ = "intersection";
  double threshold_ = 0;
};

}  // namespace wordbridge::cli
