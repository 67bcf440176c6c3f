#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/option_list.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

/// A criterion that is known by name: make_criterion(), the command line and its help follow from here.
struct RegisteredCriterion {
  std::string name;
  std::string summary;
  OptionList<CriterionOptions> options;
  bool needs_reranker = false;  // for spaces of mappings that carry one
  std::unique_ptr<const Criterion> (*make)(const CommonSpace& space, const CriterionOptions& options,
                                           Side asking) = nullptr;
};

/// A new criterion is an entry in criterion_registry.cc.
const std::vector<RegisteredCriterion>& registered_criteria();
/// UsageError for a name that is none.
const RegisteredCriterion& registered_criterion(std::string_view name);
std::vector<std::string> criterion_names();
/// Those for any space: they look at nothing but vectors.
std::vector<std::string> vector_criterion_names();

}  // namespace wordbridge
