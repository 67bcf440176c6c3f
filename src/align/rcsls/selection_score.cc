#include "align/rcsls/selection_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/wording.h"
#include "linalg/blas.h"
#include "space/unit_rows.h"
#include "wordbridge/error.h"

namespace wordbridge {

ValidationScore::ValidationScore(ConstMatrixView source, ConstMatrixView target, const Lexicon& validation,
                                 std::size_t k)
    : source_(source), words_(validation), csls_(UnitRows::of(target), words_.words(), k) {}

std::string ValidationScore::name() const {
  return fmt::format("P@1 by CSLS of {}", counted(words_.size(), "validation word"));
}

std::vector<std::uint8_t> ValidationScore::outcome(ConstMatrixViewD w) const {
  return words_.translated_right(csls_.best(UnitRows::normalized(multiply_abt(source_, to_float(w))), 1));
}

double ValidationScore::score(ConstMatrixViewD w) const {
  const std::vector<std::uint8_t> right = outcome(w);
  return 100.0 * static_cast<double>(std::ranges::count(right, 1)) / static_cast<double>(words_.size());
}

}  // namespace wordbridge
