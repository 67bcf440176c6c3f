// Trainings recorded by rcsls_golden.py, a transcription of the formulas in another language, step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "io/byte_stream.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/rows.h"
#include "optimize/constraint.h"
#include "optimize/rcsls_objective.h"
#include "optimize/subgradient.h"
#include "search/neighbor_search.h"

namespace wordbridge::rcsls_golden_test {
namespace {

const Json& golden() {
  static const Json data =
      Json::parse(read_whole(WORDBRIDGE_SOURCE_DIR "/tests/golden/rcsls_golden.json", std::size_t{1} << 24, "records"));
  return data;
}

Matrix table_of(const Json& rows) {
  Matrix table(rows.size(), rows.at(0).size());
  for (std::size_t i = 0; i < table.rows(); ++i)
    for (std::size_t j = 0; j < table.cols(); ++j) table(i, j) = rows[i][j].get<float>();
  return table;
}

MatrixD procrustes_of(const Matrix& source, const Matrix& target, const std::vector<Lexicon::Pair>& pairs) {
  MatrixD product(target.cols(), source.cols());
  for (const Lexicon::Pair& pair : pairs)
    for (std::size_t i = 0; i < product.rows(); ++i)
      for (std::size_t j = 0; j < product.cols(); ++j)
        product(i, j) += double{target(pair.target, i)} * double{source(pair.source, j)};
  return nearest_orthogonal(product);
}

std::unique_ptr<Optimizer> optimizer_of(const Json& wanted, Objective& objective, const Constraint& constraint) {
  const bool reference = wanted.at("schedule") == "reference";
  const double learning_rate = wanted.at("learning_rate").get<double>(), l2 = wanted.at("l2").get<double>();
  const int epochs = wanted.at("epochs").get<int>();
  if (wanted.at("batch") != 0)
    return std::make_unique<StochasticSubgradient>(
        objective, constraint,
        StochasticSubgradientOptions{learning_rate, epochs, wanted.at("batch").get<std::size_t>(), l2,
                                     wanted.at("seed").get<std::uint64_t>(), reference});
  return std::make_unique<ProjectedSubgradient>(
      objective, constraint,
      ProjectedSubgradientOptions{learning_rate, epochs, l2, reference ? Schedule::reference : Schedule::monotone});
}

class RcslsGolden : public testing::TestWithParam<std::size_t> {};

TEST_P(RcslsGolden, FollowsTheRecordedTraining) {
  const Json& wanted = golden().at("cases").at(GetParam());
  const Json& problem = golden().at("problems").at(wanted.at("problem").get<std::string>());
  const Matrix source = table_of(problem.at("source")), target = table_of(problem.at("target"));
  std::vector<Lexicon::Pair> pairs;
  for (const Json& pair : problem.at("pairs")) pairs.push_back({pair.at(0).get<WordId>(), pair.at(1).get<WordId>()});
  const TrainingPairs words(source, target, pairs);

  const bool extended = wanted.at("pool") == "extended";
  const std::size_t negatives = wanted.at("max_negatives").get<std::size_t>();
  const Matrix source_words = gather_rows(source, words.source_rows()),
               target_words = gather_rows(target, words.target_rows());
  const auto source_search =
      make_search(extended ? source.view().slice(0, std::min(negatives, source.rows())) : source_words.view());
  const auto target_search =
      make_search(extended ? target.view().slice(0, std::min(negatives, target.rows())) : target_words.view());
  RepeatedSearch source_pool(*source_search), target_pool(*target_search);
  const auto term = make_neighbor_term(wanted.at("loss").get<std::string>(), wanted.at("temperature").get<double>());
  RcslsObjective objective(words, target_pool, source_pool, *term, golden().at("neighbors").get<std::size_t>());
  const auto constraint = make_constraint(wanted.at("constraint").get<std::string>());
  const auto optimizer = optimizer_of(wanted, objective, *constraint);

  std::vector<double> losses;
  std::vector<bool> rolled_back;
  const OptimizerState state = run(*optimizer, optimizer->start(procrustes_of(source, target, pairs)),
                                   [&](const Iteration& iteration, const OptimizerState&) {
                                     losses.push_back(iteration.loss);
                                     rolled_back.push_back(iteration.outcome == StepOutcome::rolled_back);
                                   });

  EXPECT_EQ(rolled_back, wanted.at("rolled_back").get<std::vector<bool>>());
  ASSERT_EQ(losses.size(), wanted.at("losses").size());
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const double expected = wanted.at("losses")[i].get<double>();
    EXPECT_NEAR(losses[i], expected, 1e-4 * std::abs(expected)) << "step " << i;
  }
  for (std::size_t i = 0; i < state.w.rows(); ++i)
    for (std::size_t j = 0; j < state.w.cols(); ++j)
      EXPECT_NEAR(state.w(i, j), wanted.at("w")[i][j].get<double>(), 1e-3) << "W at " << i << ", " << j;
}

INSTANTIATE_TEST_SUITE_P(All, RcslsGolden, testing::Range<std::size_t>(0, golden().at("cases").size()),
                         [](const auto& each) {
                           const Json& c = golden().at("cases").at(each.param);
                           return c.at("problem").get<std::string>() + "_" + c.at("schedule").get<std::string>() + "_" +
                                  c.at("constraint").get<std::string>() + (c.at("batch") != 0 ? "_batch_" : "_full_") +
                                  c.at("loss").get<std::string>() + "_" + c.at("pool").get<std::string>() + "_" +
                                  std::to_string(each.param);
                         });

TEST(RcslsGoldenTest, TheRecordsCoverWhatTheyMust) {
  // Both schedules, with and without projection, full and batch, and steps that rise in each full run of the former.
  std::size_t both = 0;
  for (const Json& c : golden().at("cases"))
    both += (c.at("constraint") == "none" || c.at("constraint") == "spectral") && c.at("problem") == "square" &&
            c.at("loss") == "mean" && c.at("l2") == 0 && c.at("pool") == "extended" && c.at("max_negatives") == 200000;
  EXPECT_EQ(both, 8u);
}

}  // namespace
}  // namespace wordbridge::rcsls_golden_test
