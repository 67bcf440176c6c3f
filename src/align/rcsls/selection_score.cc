#include "align/rcsls/selection_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/counted.h"
#include "linalg/blas.h"
#include "linalg/gather.h"
#include "retrieval/csls.h"
#include "wordbridge/common_space.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// The space in which a map lays the source words over the target words.
CommonSpace space_under(ConstMatrixViewD w, ConstMatrixView source, const UnitRows& target) {
  return CommonSpace(UnitRows::normalized(multiply_abt(source, to_float(w))), target);
}

}  // namespace

ValidationScore::ValidationScore(ConstMatrixView source, ConstMatrixView target, const Lexicon& validation,
                                 std::size_t k)
    : source_(source), target_(UnitRows::of(target)), words_(validation), k_(k) {}

std::string ValidationScore::name() const {
  return fmt::format("P@1 by CSLS of {}", counted(words_.size(), "validation word"));
}

double ValidationScore::score(ConstMatrixViewD w) const {
  const std::vector<std::uint8_t> right = words_.translated_right(space_under(w, source_, target_), k_);
  return 100.0 * static_cast<double>(std::ranges::count(right, 1)) / static_cast<double>(words_.size());
}

}  // namespace wordbridge
