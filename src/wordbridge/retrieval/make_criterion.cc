#include "wordbridge/retrieval/make_criterion.h"

#include <fmt/format.h>

#include <array>

#include "wordbridge/base/error.h"
#include "wordbridge/retrieval/csls.h"
#include "wordbridge/retrieval/nearest.h"

namespace wordbridge {

std::span<const std::string_view> criterion_names() {
  static constexpr std::array<std::string_view, 2> kNames = {"nn", "csls"};
  return kNames;
}

std::unique_ptr<Criterion> make_criterion(std::string_view name, ConstMatrixView sources, ConstMatrixView targets,
                                          const CriterionOptions& options) {
  if (sources.cols() != targets.cols())
    throw UsageError(fmt::format("source and target vectors of dimensions {} and {} are not in one space",
                                 sources.cols(), targets.cols()));
  if (name == "nn") return std::make_unique<Nearest>(targets);
  if (name == "csls")
    return std::make_unique<Csls>(sources, targets,
                                  CslsOptions{.neighbors = options.neighbors, .progress = options.progress});
  throw UsageError(fmt::format("criterion '{}': {} is wanted", name, fmt::join(criterion_names(), " or ")));
}

}  // namespace wordbridge
