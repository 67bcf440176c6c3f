#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "wordbridge/mapping/mapping.h"
#include "wordbridge/retrieval/make_criterion.h"

namespace wordbridge::cli {

class Arguments;
class Session;

/// The names of all criteria.
std::vector<std::string> criterion_choices();

/// How translations are ranked.
struct RetrievalOptions {
  std::string criterion;         // empty: the one that goes with the mapping
  std::uint64_t neighbors = 10;  // k of csls

  void declare(Arguments& arguments);
  /// The criterion asked for, else the mapping's, else csls. UsageError for a mapping's that is not known here.
  std::string criterion_for(const Mapping& mapping) const;
  CriterionOptions criterion_options(Session& session) const;
};

}  // namespace wordbridge::cli
