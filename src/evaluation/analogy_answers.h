#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// a, b and c of a : b = c : ?.
using AnalogyTerms = std::array<WordId, 3>;

/// For each question the best row of the table (unit rows) that is none of its terms, ties by lower id; nothing where
/// there is no other row. Zero rows are never answers.
std::vector<std::optional<WordId>> answer_by_cos_add(ConstMatrixView table, std::span<const AnalogyTerms> questions);
std::vector<std::optional<WordId>> answer_by_cos_mul(ConstMatrixView table, std::span<const AnalogyTerms> questions);

}  // namespace wordbridge
