#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "retrieval/criterion.h"
#include "space/common_space.h"

namespace wordbridge {

/// What criteria may be told; each takes what concerns it.
struct CriterionOptions {
  std::size_t neighbors = 10;  // k of csls
  double beta = 30;            // inverse temperature of isf
  std::size_t sample = 0;      // source words in the normalizer of isf; 0: all
  std::uint64_t seed = 0;      // for that sample
};

/// The names that make_criterion() knows: "nn", "csls", "isf", "gc".
std::span<const std::string_view> criterion_names();

/// UsageError for an unknown name, before any work. `asking`: the side whose words ask; those of the other one are
/// ranked.
std::unique_ptr<const Criterion> make_criterion(std::string_view name, const CommonSpace& space,
                                                const CriterionOptions& options = {}, Side asking = Side::source);

}  // namespace wordbridge
