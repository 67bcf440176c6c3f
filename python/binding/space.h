#pragma once
#include <pybind11/pybind11.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "lexicon.h"
#include "run.h"
#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"
#include "wordbridge/translate.h"

namespace wordbridge::python {

/// Which criterion ranks, and what it is told.
struct Retrieval {
  std::string criterion;  // empty: the one that goes with the mapping
  std::size_t neighbors = 10;
  double beta = 30;
  std::size_t sample = 0;

  CriterionOptions options(std::uint64_t seed) const { return {neighbors, beta, sample, seed}; }
};

/// A common space, and the translators that were asked for so far: some criteria are costly to make.
class Space {
 public:
  explicit Space(CommonSpace space) : space_(std::move(space)) {}

  const CommonSpace& space() const { return space_; }
  std::string criterion_of(const Retrieval& retrieval) const {
    return retrieval.criterion.empty() ? space_.criterion() : retrieval.criterion;
  }
  TranslatorOptions options(const Retrieval& retrieval, std::uint64_t seed, CasePolicy case_policy, bool subwords,
                            Side asking, bool ignore_known) const;
  /// For many threads. To be called within a run.
  std::shared_ptr<const Translator> translator(const Retrieval& retrieval, std::uint64_t seed, CasePolicy case_policy,
                                               bool subwords, Side asking, bool ignore_known = false) const;

 private:
  using Key = std::tuple<std::string, std::size_t, double, std::size_t, std::uint64_t, CasePolicy, bool, Side, bool>;

  CommonSpace space_;
  mutable std::mutex mutex_;
  mutable std::map<Key, std::shared_ptr<const Translator>> translators_;
};

using SpacePointer = std::shared_ptr<Space>;

void bind_space(pybind11::module_& module);

}  // namespace wordbridge::python
