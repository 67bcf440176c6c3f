#include "retrieval/make_criterion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/error.h"
#include "retrieval/csls.h"
#include "retrieval/globally_corrected.h"
#include "retrieval/inverted_softmax.h"
#include "retrieval/nearest.h"

namespace wordbridge {

std::span<const std::string_view> criterion_names() {
  static constexpr std::array<std::string_view, 4> kNames = {"nn", "csls", "isf", "gc"};
  return kNames;
}

std::unique_ptr<const Criterion> make_criterion(std::string_view name, const CommonSpace& space,
                                                const CriterionOptions& options, Side asking) {
  if (name == "nn") return std::make_unique<Nearest>(space, asking);
  if (name == "csls") return std::make_unique<Csls>(space, CslsOptions{.neighbors = options.neighbors}, asking);
  if (name == "isf")
    return std::make_unique<InvertedSoftmax>(
        space, InvertedSoftmaxOptions{.beta = options.beta, .sample = options.sample, .seed = options.seed}, asking);
  if (name == "gc") return std::make_unique<GloballyCorrected>(space, GloballyCorrectedOptions{}, asking);
  throw UsageError(fmt::format("criterion '{}': one of {} is wanted", name, fmt::join(criterion_names(), ", ")));
}

}  // namespace wordbridge
