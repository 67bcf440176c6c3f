#include "evaluation/analogy_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"
#include "parallel/threads_test_support.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::analogy_answers_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

Matrix rows(const std::vector<std::vector<double>>& values) {
  Matrix table(values.size(), values.front().size());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < values[i].size(); ++j) table(i, j) = static_cast<float>(values[i][j]);
  return table;
}

// a, b, c on axes, and two candidates of length 1 that differ in the last coordinate:
//   d (0, .9, .1):  3CosAdd .9 + .1 - 0 = 1.00;  3CosMul .95 * .55 / .501 = 1.043
//   e (0, .5, .48): 3CosAdd .5 + .48 - 0 = 0.98;  3CosMul .75 * .74 / .501 = 1.108
TEST(AnalogyAnswers, TheMethodsDiffer) {
  const Matrix table = rows(
      {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, .9, .1, std::sqrt(1 - .82)}, {0, .5, .48, std::sqrt(1 - .4804)}});
  const std::vector<AnalogyTerms> questions = {{0, 1, 2}};
  EXPECT_THAT(answer_by_cos_add(table, questions), ElementsAre(Optional(3U)));
  EXPECT_THAT(answer_by_cos_mul(table, questions), ElementsAre(Optional(4U)));
}

TEST(AnalogyAnswers, TermsAndZeroRowsAreNoAnswers) {
  const Matrix table = rows({{1, 0}, {0, 1}, {0, 0}});
  const std::vector<AnalogyTerms> questions = {{0, 1, 0}, {1, 1, 1}};
  for (const auto answer : {answer_by_cos_add, answer_by_cos_mul})
    EXPECT_THAT(answer(table, questions), ElementsAre(std::nullopt, Optional(0U)));
  EXPECT_TRUE(answer_by_cos_add(table, {}).empty());
  EXPECT_TRUE(answer_by_cos_mul(table, {}).empty());
}

TEST(AnalogyAnswers, TiesGoToTheLowerId) {
  const Matrix table = rows({{1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}});
  const std::vector<AnalogyTerms> questions = {{0, 1, 2}};
  for (const auto answer : {answer_by_cos_add, answer_by_cos_mul})
    EXPECT_THAT(answer(table, questions), ElementsAre(Optional(3U)));
}

/// Every row for every question, in double.
std::vector<std::optional<WordId>> slow_answers(const Matrix& table, const std::vector<AnalogyTerms>& questions,
                                                bool multiply) {
  std::vector<std::optional<WordId>> answers;
  for (const AnalogyTerms& terms : questions) {
    std::optional<WordId> best;
    double best_score = -std::numeric_limits<double>::infinity();
    for (WordId id = 0; id < table.rows(); ++id) {
      if (id == terms[0] || id == terms[1] || id == terms[2]) continue;
      double cosines[3] = {}, length = 0;
      const float* row = table.row(id).data();
      for (std::size_t t = 0; t < 3; ++t) {
        const float* term = table.row(terms[t]).data();
        for (std::size_t j = 0; j < table.cols(); ++j) cosines[t] += static_cast<double>(term[j]) * row[j];
      }
      for (std::size_t j = 0; j < table.cols(); ++j) length += static_cast<double>(row[j]) * row[j];
      if (length == 0) continue;
      const double score = multiply ? (1 + cosines[1]) / 2 * (1 + cosines[2]) / 2 / ((1 + cosines[0]) / 2 + 0.001)
                                    : cosines[1] - cosines[0] + cosines[2];
      if (score > best_score) {
        best_score = score;
        best = id;
      }
    }
    answers.push_back(best);
  }
  return answers;
}

TEST(AnalogyAnswers, AgreeWithTheSlowWayOnAnyNumberOfThreads) {
  Random random(7);
  Matrix table(1500, 12);
  for (float& value : table.elements()) value = static_cast<float>(random.normal());
  for (std::size_t j = 0; j < table.cols(); ++j) table(1100, j) = 0;
  normalize_rows(table);
  std::vector<AnalogyTerms> questions;
  while (questions.size() < 620) {  // enough for an index
    AnalogyTerms terms = {};
    for (WordId& term : terms) do {
        term = static_cast<WordId>(random.index(questions.size() < 560 ? 60 : table.rows()));
      } while (term == 1100);
    questions.push_back(terms);
  }
  const auto sums = slow_answers(table, questions, false), products = slow_answers(table, questions, true);
  for (const int threads : {1, 3}) {
    const WithThreads scope(threads);
    EXPECT_EQ(answer_by_cos_add(table, questions), sums);
    EXPECT_EQ(answer_by_cos_mul(table, questions), products);
  }
}

}  // namespace
}  // namespace wordbridge::analogy_answers_test
