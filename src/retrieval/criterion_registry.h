#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/option_list.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

class ShardedSpace;

/// A criterion that is known by name: make_criterion(), the command line and its help follow from here.
struct RegisteredCriterion {
  std::string name;
  std::string summary;
  OptionList<CriterionOptions> options;
  bool needs_reranker = false;  // for spaces of mappings that carry one
  std::unique_ptr<const Criterion> (*make)(const CommonSpace& space, const CriterionOptions& options,
                                           Side asking) = nullptr;
  /// Over tables that are sharded; nullptr: several processes cannot share its work.
  std::unique_ptr<const Criterion> (*make_sharded)(const ShardedSpace& space, const CriterionOptions& options,
                                                   Side asking) = nullptr;
};

/// A new criterion is an entry in criterion_registry.cc.
const std::vector<RegisteredCriterion>& registered_criteria();
/// UsageError for a name that is none.
const RegisteredCriterion& registered_criterion(std::string_view name);
std::vector<std::string> criterion_names();
/// make_criterion() over tables that are sharded, for all processes together: the answers have the bits that one
/// process gives. The space must outlive it. UsageError, which says what to do, for criteria of one process.
std::unique_ptr<const Criterion> make_criterion(std::string_view name, const ShardedSpace& space,
                                                const CriterionOptions& options, Side asking = Side::source);
/// The same check without a space.
void require_sharded_criterion(std::string_view name);
/// Those for any space: they look at nothing but vectors.
std::vector<std::string> vector_criterion_names();

}  // namespace wordbridge
