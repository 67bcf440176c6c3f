#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/retrieval/make_criterion.h"
#include "wordbridge/retrieval/translate.h"

namespace wordbridge {

/// criterion_names() and "rerank".
std::vector<std::string_view> all_criterion_names();

/// The criterion that goes with a space: "rerank" where its mapping carries a re-ranker, else the mapping's.
std::string usual_criterion(const CommonSpace& space);

/// make_criterion() that knows "rerank", too. A re-ranker is learned for one direction: where the target side asks,
/// CSLS stands in for it.
std::unique_ptr<const Criterion> make_any_criterion(std::string_view name, const CommonSpace& space,
                                                    const CriterionOptions& options = {}, Side asking = Side::source);

/// A translator by any criterion; where none is named, by usual_criterion().
Translator make_translator(const CommonSpace& space, TranslatorOptions options = {});

}  // namespace wordbridge
