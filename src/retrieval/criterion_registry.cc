#include "retrieval/criterion_registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/option_error.h"
#include "base/option_text.h"
#include "retrieval/csls/csls.h"
#include "retrieval/globally_corrected.h"
#include "retrieval/inverted_softmax.h"
#include "retrieval/nearest.h"
#include "retrieval/rerank/reranked.h"
#include "space/sharded_space.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

using CriterionOptionList = OptionList<CriterionOptions>;

CriterionOptionList csls_options() {
  CriterionOptionList list;
  list.add("neighbors", &CriterionOptions::neighbors, "Neighbors that csls looks at").range(1, 1 << 20).short_name("k");
  return list;
}

CriterionOptionList inverted_softmax_options() {
  CriterionOptionList list;
  list.add("beta", &CriterionOptions::beta, "Inverse temperature of isf").above(0).at_most(kMaxBeta);
  list.add("sample", &CriterionOptions::sample, "Source words in the normalizer of isf, drawn with the seed")
      .zero("all");
  return list;
}

template <class Space>
std::unique_ptr<const Criterion> make_nearest(const Space& space, const CriterionOptions&, Side asking) {
  return std::make_unique<Nearest>(space, asking);
}

template <class Space>
std::unique_ptr<const Criterion> make_csls(const Space& space, const CriterionOptions& options, Side asking) {
  return std::make_unique<Csls>(space, CslsOptions{.neighbors = options.neighbors}, asking);
}

std::unique_ptr<const Criterion> make_inverted_softmax(const CommonSpace& space, const CriterionOptions& options,
                                                       Side asking) {
  const InvertedSoftmaxOptions own{.beta = options.beta, .sample = options.sample, .seed = options.seed};
  return std::make_unique<InvertedSoftmax>(space, own, asking);
}

std::unique_ptr<const Criterion> make_globally_corrected(const CommonSpace& space, const CriterionOptions&,
                                                         Side asking) {
  return std::make_unique<GloballyCorrected>(space, GloballyCorrectedOptions{}, asking);
}

/// A re-ranker is learned for one direction: where the target side asks, CSLS stands in for it.
std::unique_ptr<const Criterion> make_reranked(const CommonSpace& space, const CriterionOptions& options, Side asking) {
  if (asking == Side::target) return make_csls(space, options, asking);
  return std::make_unique<Reranked>(space);
}

}  // namespace

const std::vector<RegisteredCriterion>& registered_criteria() {
  static const std::vector<RegisteredCriterion> criteria = {
      {"nn", "by cosine", {}, false, make_nearest<CommonSpace>, make_nearest<ShardedSpace>},
      {"csls", "by cosine less the mean cosine of the neighborhoods", csls_options(), false, make_csls<CommonSpace>,
       make_csls<ShardedSpace>},
      {"isf", "by inverted softmax", inverted_softmax_options(), false, make_inverted_softmax},
      {"gc", "by the rank of the word among all source words", {}, false, make_globally_corrected},
      {"rerank", "by the probability that the mapping's re-ranker gives", {}, true, make_reranked}};
  return criteria;
}

const RegisteredCriterion& registered_criterion(std::string_view name) {
  const auto& all = registered_criteria();
  const auto found = std::ranges::find(all, name, &RegisteredCriterion::name);
  if (found == all.end()) throw UsageError("criterion " + none_of(name, criterion_names()));
  return *found;
}

std::vector<std::string> criterion_names() {
  std::vector<std::string> names;
  for (const RegisteredCriterion& criterion : registered_criteria()) names.push_back(criterion.name);
  return names;
}

std::vector<std::string> vector_criterion_names() {
  std::vector<std::string> names;
  for (const RegisteredCriterion& criterion : registered_criteria())
    if (!criterion.needs_reranker) names.push_back(criterion.name);
  return names;
}

std::vector<CriterionInfo> criteria() {
  std::vector<CriterionInfo> result;
  for (const RegisteredCriterion& criterion : registered_criteria()) {
    CriterionInfo info{criterion.name, criterion.summary, {}};
    for (const auto& option : criterion.options.all()) info.options.push_back(option.info());
    result.push_back(std::move(info));
  }
  return result;
}

std::unique_ptr<const Criterion> make_criterion(std::string_view name, const CommonSpace& space,
                                                const CriterionOptions& options, Side asking) {
  return registered_criterion(name).make(space, options, asking);
}

void require_sharded_criterion(std::string_view name) {
  if (registered_criterion(name).make_sharded == nullptr)
    throw OptionError(OptionName("criterion", std::string(name)) + " is for one process; several share the work of " +
                      OptionName("criterion", "csls") + " and of " + OptionName("criterion", "nn"));
}

std::unique_ptr<const Criterion> make_criterion(std::string_view name, const ShardedSpace& space,
                                                const CriterionOptions& options, Side asking) {
  require_sharded_criterion(name);
  return registered_criterion(name).make_sharded(space, options, asking);
}

}  // namespace wordbridge
