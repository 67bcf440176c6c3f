#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "linalg/random_matrix_test_support.h"
#include "linalg/rows.h"
#include "retrieval/gc/rank_bounds.h"
#include "search/neighbor_search.h"
#include "space/unit_rows.h"

namespace wordbridge {

struct RankCase {
  UnitRows sources;
  Matrix targets;
};

/// Few directions, many times over, with products that fp32 cannot tell from the score, and zero rows.
inline RankCase rank_case() {
  const Matrix few = random_unit_rows(9, 30, 1);
  std::vector<WordId> ids;
  for (std::size_t i = 0; i < 3000; ++i) ids.push_back(static_cast<WordId>(i % 9));
  Matrix sources = gather_rows(few, ids);
  for (std::size_t i = 0; i < sources.rows(); i += 7) sources(i, i % 30) *= 1.0000002f;
  for (std::size_t i = 3; i < sources.rows(); i += 100) std::fill_n(sources.row(i).data(), 30, 0.0f);
  return {UnitRows::take(std::move(sources)), random_unit_rows(150, 30, 2)};
}

/// About the scores of some source words with every target, and about scores that no word has.
inline std::vector<RankQuestion> questions_about(const RankCase& tables, std::size_t enough) {
  std::vector<RankQuestion> questions;
  for (std::size_t i = 0; i < 4 * tables.targets.rows(); ++i) {
    const auto target = static_cast<WordId>(i * 7 % tables.targets.rows());
    const auto row = static_cast<WordId>(i * 31 % tables.sources.size());
    const float score = exact_score(tables.sources[row].data(), tables.targets.row(target).data(), 30);
    questions.push_back({target, i % 5 == 0 ? score - 0.1f : score, enough});
  }
  return questions;
}

/// By the definition.
inline std::size_t count_nearer(const RankCase& tables, const RankQuestion& question) {
  std::size_t count = 0;
  for (WordId i = 0; i < tables.sources.size(); ++i)
    count += !tables.sources.is_zero(i) &&
             exact_score(tables.sources[i].data(), tables.targets.row(question.target).data(), 30) > question.score;
  return count;
}

}  // namespace wordbridge
