#include "wordbridge/rerank/criteria.h"

#include <utility>

#include "wordbridge/rerank/reranked.h"

namespace wordbridge {

namespace {

constexpr std::string_view kRerank = "rerank";

}  // namespace

std::vector<std::string_view> all_criterion_names() {
  const auto names = criterion_names();
  std::vector<std::string_view> all(names.begin(), names.end());
  all.push_back(kRerank);
  return all;
}

std::string usual_criterion(const CommonSpace& space) {
  return space.reranker() ? std::string(kRerank) : space.criterion();
}

std::unique_ptr<const Criterion> make_any_criterion(std::string_view name, const CommonSpace& space,
                                                    const CriterionOptions& options, Side asking) {
  if (name != kRerank) return make_criterion(name, space, options, asking);
  if (asking == Side::target) return make_criterion("csls", space, options, asking);
  return std::make_unique<Reranked>(space);
}

Translator make_translator(const CommonSpace& space, TranslatorOptions options) {
  if (options.criterion.empty()) options.criterion = usual_criterion(space);
  auto criterion = make_any_criterion(options.criterion, space, options.criterion_options, options.asking);
  return Translator(space, std::move(criterion), options);
}

}  // namespace wordbridge
