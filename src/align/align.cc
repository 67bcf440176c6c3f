#include "wordbridge/align.h"

#include <utility>

#include "align/alignment_plan.h"

namespace wordbridge {

Mapping align(WordVectors source, WordVectors target, const Lexicon& lexicon, const AlignOptions& options) {
  const AlignmentPlan plan(options);
  return plan.run(plan.prepare(std::move(source), std::move(target), lexicon));
}

std::vector<MethodInfo> methods() {
  std::vector<MethodInfo> result;
  for (const AlignMethod& method : align_methods()) {
    MethodInfo info{method.name, method.summary, method.normalization, method.criterion, method.needs_lexicon, {}};
    const AlignOptionList options = options_of(method);
    for (const auto& option : options.all()) info.options.push_back(option.info());
    result.push_back(std::move(info));
  }
  return result;
}

}  // namespace wordbridge
