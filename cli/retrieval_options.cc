#include "cli/retrieval_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/arguments.h"
#include "cli/session.h"
#include "wordbridge/base/error.h"

namespace wordbridge::cli {

std::vector<std::string> criterion_choices() {
  const auto names = criterion_names();
  return {names.begin(), names.end()};
}

void RetrievalOptions::declare(Arguments& arguments) {
  arguments.heading("Retrieval");
  arguments.choice("--criterion", criterion, criterion_choices(),
                   "How translations are ranked (default: the mapping's, usually csls)");
  arguments.number("-k,--neighbors", neighbors, 1, 1 << 20, "Neighbors that csls looks at (default: 10)");
}

std::string RetrievalOptions::criterion_for(const Mapping& mapping) const {
  if (!criterion.empty()) return criterion;
  const std::string& own = mapping.provenance.criterion;
  if (own.empty()) return "csls";
  const auto known = criterion_choices();
  if (std::find(known.begin(), known.end(), own) == known.end())
    throw UsageError(fmt::format("the mapping goes with criterion '{}', which is unknown here: give --criterion", own));
  return own;
}

CriterionOptions RetrievalOptions::criterion_options(Session& session) const {
  return {.neighbors = neighbors, .progress = &session.progress()};
}

}  // namespace wordbridge::cli
