#include "align/rcsls/selection_score.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "base/error.h"
#include "linalg/blas.h"
#include "linalg/gather.h"
#include "retrieval/csls.h"
#include "space/common_space.h"

namespace wordbridge {

namespace {

/// The space in which a map lays the source words over the target words.
CommonSpace space_under(ConstMatrixViewD w, ConstMatrixView source, const UnitRows& target) {
  return CommonSpace(UnitRows::normalized(multiply_abt(source, to_float(w))), target);
}

}  // namespace

ValidationScore::ValidationScore(ConstMatrixView source, ConstMatrixView target, const Lexicon& validation,
                                 std::size_t k)
    : source_(source), target_(UnitRows::of(target)), words_(validation.source_words()), k_(k) {
  if (words_.empty()) throw UsageError("none of the validation words is in the vocabularies");
  translations_.resize(words_.size());
  for (const Lexicon::Pair& pair : validation.pairs()) {
    const auto found = std::lower_bound(words_.begin(), words_.end(), pair.source);
    translations_[static_cast<std::size_t>(found - words_.begin())].push_back(pair.target);
  }
  for (auto& targets : translations_) std::sort(targets.begin(), targets.end());
}

std::string ValidationScore::name() const {
  return fmt::format("P@1 by CSLS of {}", counted(words_.size(), "validation word"));
}

double ValidationScore::score(ConstMatrixViewD w) const {
  const CommonSpace space = space_under(w, source_, target_);
  const Candidates best = Csls(space, {.neighbors = k_}).best(gather_rows(space.table(Side::source), words_), 1);
  if (best.found == 0) return 0;
  std::size_t right = 0;
  for (std::size_t i = 0; i < words_.size(); ++i)
    right += std::binary_search(translations_[i].begin(), translations_[i].end(), best.targets_of(i).front());
  return 100.0 * static_cast<double>(right) / static_cast<double>(words_.size());
}

}  // namespace wordbridge
