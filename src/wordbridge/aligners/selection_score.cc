#include "wordbridge/aligners/selection_score.h"

#include <fmt/format.h>

#include <algorithm>

#include "wordbridge/base/error.h"
#include "wordbridge/linalg/blas.h"
#include "wordbridge/linalg/gather.h"
#include "wordbridge/retrieval/csls.h"
#include "wordbridge/space/common_space.h"

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

std::string ValidationScore::name() const { return fmt::format("P@1 by CSLS of {} validation words", words_.size()); }

double ValidationScore::score(ConstMatrixViewD w) const {
  const CommonSpace space = space_under(w, source_, target_);
  const Candidates best = Csls(space, {.neighbors = k_}).best(gather_rows(space.table(Side::source), words_), 1);
  if (best.found == 0) return 0;
  std::size_t right = 0;
  for (std::size_t i = 0; i < words_.size(); ++i)
    right += std::binary_search(translations_[i].begin(), translations_[i].end(), best.targets_of(i).front());
  return 100.0 * static_cast<double>(right) / static_cast<double>(words_.size());
}

MutualScore::MutualScore(ConstMatrixView source, ConstMatrixView target, std::size_t words, std::size_t k)
    : source_(source.slice(0, std::min(words, source.rows()))),
      target_(UnitRows::of(target.slice(0, std::min(words, target.rows())))),
      k_(k) {}

std::string MutualScore::name() const {
  return fmt::format("CSLS of mutual best pairs among the {} most frequent words", source_.rows());
}

MutualScore::Pairs MutualScore::pairs(ConstMatrixViewD w) const {
  const CommonSpace space = space_under(w, source_, target_);
  const ConstMatrixView mapped = space.table(Side::source);
  const Candidates forward = Csls(space, {.neighbors = k_}).best(mapped, 1);
  const Candidates backward = Csls(space, {.neighbors = k_}, Side::target).best(space.table(Side::target), 1);
  Pairs pairs;
  if (forward.found == 0 || backward.found == 0) return pairs;
  double sum = 0;
  for (std::size_t i = 0; i < mapped.rows(); ++i) {
    const WordId target = forward.targets_of(i).front();
    if (backward.targets_of(target).front() != i) continue;
    sum += forward.scores_of(i).front();
    ++pairs.count;
  }
  if (pairs.count > 0) pairs.mean_csls = sum / static_cast<double>(pairs.count);
  return pairs;
}

double MutualScore::score(ConstMatrixViewD w) const {
  const Pairs found = pairs(w);
  return found.mean_csls * static_cast<double>(found.count) / static_cast<double>(source_.rows());
}

}  // namespace wordbridge
