#include "retrieval/source_ranks.h"

#include <gtest/gtest.h>

#include "linalg/gather.h"
#include "linalg/random_matrix_test_support.h"
#include "search/neighbor_search.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge::source_ranks_test {
namespace {

std::size_t count_nearer(const Matrix& sources, std::span<const float> target, float score) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < sources.rows(); ++i) {
    bool zero = true;
    for (const float value : sources.row(i)) zero = zero && value == 0;
    count += !zero && exact_score(sources.row(i).data(), target.data(), target.size()) > score;
  }
  return count;
}

TEST(SourceRanks, CountsExactly) {
  // Few directions, many times over: products that fp32 cannot tell from the score, and zero rows.
  const Matrix few = random_unit_rows(9, 30, 1);
  std::vector<WordId> ids;
  for (std::size_t i = 0; i < 5000; ++i) ids.push_back(static_cast<WordId>(i % 9));
  Matrix sources = gather_rows(few, ids);
  for (std::size_t i = 0; i < sources.rows(); i += 7) sources(i, i % 30) *= 1.0000002f;
  for (std::size_t i = 3; i < sources.rows(); i += 100) std::fill_n(sources.row(i).data(), 30, 0.0f);
  const Matrix targets = random_unit_rows(5, 30, 2);
  const UnitRows unit_sources = UnitRows::view(sources);
  SourceRanks ranks(unit_sources), alone(unit_sources);
  ranks.load(targets);
  alone.load_alone(targets);
  for (std::size_t y = 0; y < targets.rows(); ++y)
    for (std::size_t q = 0; q < 40; ++q) {
      const float score = exact_score(sources.row(q).data(), targets.row(y).data(), 30);
      const std::size_t expected = count_nearer(sources, targets.row(y), score);
      EXPECT_EQ(ranks.nearer(y, score, sources.rows()), expected);
      EXPECT_EQ(alone.nearer(y, score, sources.rows()), expected);
      EXPECT_EQ(ranks.nearer(y, score, expected), expected);
      if (expected > 0) {
        EXPECT_EQ(ranks.nearer(y, score, expected - 1), std::nullopt);
      }
    }
}

TEST(SourceRanks, LoadsOtherTargetsAfterwards) {
  const Matrix sources = random_unit_rows(600, 8, 1), targets = random_unit_rows(10, 8, 2);
  const UnitRows unit_sources = UnitRows::view(sources);
  SourceRanks ranks(unit_sources);
  for (const std::size_t begin : {0, 4, 8}) {
    const std::size_t end = std::min<std::size_t>(begin + 4, 10);
    ranks.load(targets.view().slice(begin, end));
    for (std::size_t y = begin; y < end; ++y)
      EXPECT_EQ(ranks.nearer(y - begin, 0.1f, 600), count_nearer(sources, targets.row(y), 0.1f));
  }
}

TEST(SourceRanks, WithoutSources) {
  const Matrix targets = random_unit_rows(2, 4, 1);
  const UnitRows zeros = UnitRows::take(Matrix(3, 4));
  SourceRanks ranks(zeros);
  ranks.load(targets);
  EXPECT_EQ(ranks.nearer(1, 0.5f, 0), 0u);
}

}  // namespace
}  // namespace wordbridge::source_ranks_test
