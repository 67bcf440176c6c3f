#include "wordbridge/retrieval/make_criterion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "wordbridge/base/error.h"
#include "wordbridge/retrieval/csls.h"
#include "wordbridge/retrieval/globally_corrected.h"
#include "wordbridge/retrieval/inverted_softmax.h"
#include "wordbridge/retrieval/nearest.h"

namespace wordbridge {

std::span<const std::string_view> criterion_names() {
  static constexpr std::array<std::string_view, 4> kNames = {"nn", "csls", "isf", "gc"};
  return kNames;
}

std::unique_ptr<Criterion> make_criterion(std::string_view name, ConstMatrixView sources, ConstMatrixView targets,
                                          const CriterionOptions& options) {
  require_one_space(sources, targets);
  if (name == "nn") return std::make_unique<Nearest>(targets);
  if (name == "csls") return std::make_unique<Csls>(sources, targets, CslsOptions{.neighbors = options.neighbors});
  if (name == "isf")
    return std::make_unique<InvertedSoftmax>(
        sources, targets, InvertedSoftmaxOptions{.beta = options.beta, .sample = options.sample, .seed = options.seed});
  if (name == "gc") return std::make_unique<GloballyCorrected>(sources, targets, GloballyCorrectedOptions{});
  throw UsageError(fmt::format("criterion '{}': one of {} is wanted", name, fmt::join(criterion_names(), ", ")));
}

}  // namespace wordbridge
