#include "hub/hub_mapping.h"

#include <utility>

#include "mapping/composition.h"
#include "mapping/stored_lexicon.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

Mapping named(Mapping mapping, std::map<std::string, std::string> options) {
  mapping.provenance.method = "hub";
  mapping.provenance.options = std::move(options);
  return mapping;
}

}  // namespace

Mapping from_pivot(const Mapping& language) {
  Mapping result(language.target_map().value_or(Matrix::identity(language.input_dimension(Side::target))),
                 language.normalizer(Side::target), language.normalizer(Side::source), language.source_map());
  result.provenance.version = version();
  result.provenance.max_words = language.provenance.max_words;
  result.provenance.criterion = language.provenance.criterion;
  result.provenance.source = language.provenance.target;
  result.provenance.target = language.provenance.source;
  if (language.lexicon) result.lexicon = std::make_shared<const StoredLexicon>(language.lexicon->swapped());
  return named(std::move(result), {{"to", language.provenance.method}});
}

Mapping between(const Mapping& first, const Mapping& second) {
  return named(compose(first, from_pivot(second)).mapping,
               {{"from", first.provenance.method}, {"to", second.provenance.method}});
}

Mapping pivot_itself(const Mapping& any_language) {
  const Normalizer& normalizer = any_language.normalizer(Side::target);
  Mapping result(Matrix::identity(any_language.input_dimension(Side::target)), normalizer, normalizer);
  result.provenance.version = version();
  result.provenance.max_words = any_language.provenance.max_words;
  result.provenance.criterion = any_language.provenance.criterion;
  result.provenance.source = result.provenance.target = any_language.provenance.target;
  return named(std::move(result), {});
}

Mapping into_pivot_space(const Mapping& language, double* distortion) {
  if (distortion != nullptr) *distortion = 0;
  if (!language.target_map()) return language;
  DerivedMapping composed = compose(language, pivot_itself(language));
  if (distortion != nullptr) *distortion = composed.distortion;
  return named(std::move(composed.mapping), {{"from", language.provenance.method}});
}

}  // namespace wordbridge
