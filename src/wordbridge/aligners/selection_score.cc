#include "wordbridge/aligners/selection_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "wordbridge/base/error.h"
#include "wordbridge/linalg/blas.h"
#include "wordbridge/linalg/gather.h"
#include "wordbridge/retrieval/csls.h"
#include "wordbridge/vectors/normalizer.h"

namespace wordbridge {

namespace {

Matrix map_to_unit(ConstMatrixView table, ConstMatrixViewD w) {
  Matrix mapped = multiply_abt(table, to_float(w));
  normalize_rows(mapped);
  return mapped;
}

bool has_unit_rows(ConstMatrixView table) {
  for (std::size_t i = 0; i < table.rows(); ++i) {
    double square = 0;
    for (const float value : table.row(i)) square += static_cast<double>(value) * value;
    if (square != 0 && std::abs(square - 1) > 1e-5) return false;
  }
  return true;
}

/// Unit rows: the table itself where it has them, else a copy, which `memory` keeps.
ConstMatrixView unit_rows(ConstMatrixView table, Matrix& memory) {
  if (has_unit_rows(table)) return table;
  memory = Matrix::copy_of(table);
  normalize_rows(memory);
  return memory;
}

}  // namespace

ValidationScore::ValidationScore(ConstMatrixView source, ConstMatrixView target, const Lexicon& validation,
                                 std::size_t k)
    : source_(source), target_(unit_rows(target, unit_target_)), words_(validation.source_words()), k_(k) {
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
  const Matrix mapped = map_to_unit(source_, w);
  Csls csls(mapped, target_, {.neighbors = k_});
  const Candidates best = csls.best(gather_rows(mapped, words_), 1);
  if (best.found == 0) return 0;
  std::size_t right = 0;
  for (std::size_t i = 0; i < words_.size(); ++i)
    right += std::binary_search(translations_[i].begin(), translations_[i].end(), best.targets_of(i).front());
  return 100.0 * static_cast<double>(right) / static_cast<double>(words_.size());
}

MutualScore::MutualScore(ConstMatrixView source, ConstMatrixView target, std::size_t words, std::size_t k)
    : source_(source.slice(0, std::min(words, source.rows()))),
      target_(unit_rows(target.slice(0, std::min(words, target.rows())), unit_target_)),
      k_(k) {}

std::string MutualScore::name() const {
  return fmt::format("CSLS of mutual best pairs among the {} most frequent words", source_.rows());
}

MutualScore::Pairs MutualScore::pairs(ConstMatrixViewD w) const {
  const Matrix mapped = map_to_unit(source_, w);
  const Candidates forward = Csls(mapped, target_, {.neighbors = k_}).best(mapped, 1);
  const Candidates backward = Csls(target_, mapped, {.neighbors = k_}).best(target_, 1);
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
