#include "align/unsupervised/stochastic_self_learning.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "align/recovery_test_support.h"
#include "base/effort_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "parallel/threads_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::stochastic_self_learning_test {
namespace {

StochasticSelfLearningOptions small() { return {.start_words = 400, .words = 400, .keep = 0.25, .patience = 5}; }

AlignmentResult solve(const HiddenRotation& problem, const StochasticSelfLearningOptions& options,
                      std::uint64_t seed = 1) {
  return StochasticSelfLearningAligner(options).solve({problem.source, problem.target, Lexicon(), seed});
}

TEST(StochasticSelfLearning, RecoversAHiddenRotation) {
  for (std::uint64_t seed = 1; seed <= effort(3, 1); ++seed) {
    const HiddenRotation problem = hidden_rotation(400, 20, 0.01, seed);
    const AlignmentResult result = solve(problem, small(), seed);
    EXPECT_GT(problem.recovered(result.source_map), 0.95) << seed;
    EXPECT_LT(largest_difference(multiply_abt(result.source_map, result.source_map), Matrix::identity(20)), 1e-4);
    EXPECT_GT(result.metrics.at("objective"), 0.9);
    EXPECT_GE(result.metrics.at("iterations"), 15) << "three shares of candidates, five idle iterations each";
  }
}

/// The same clouds; of the words that the first `alike` source words should find, each has the same name.
HiddenRotation with_names(HiddenRotation problem, std::size_t alike) {
  const auto name = [](const std::string& prefix, std::size_t i) {
    std::string letters;
    for (std::size_t rest = i + 1; rest > 0; rest /= 26) letters += static_cast<char>('a' + rest % 26);
    return prefix + letters;
  };
  std::vector<std::string> source, target(problem.target.size());
  for (std::size_t i = 0; i < problem.source.size(); ++i) {
    source.push_back(name(i < alike ? "same" : "left", i));
    target[problem.partner[i]] = name(i < alike ? "same" : "right", i);
  }
  return {{Vocabulary(source), Matrix(problem.source.table())},
          {Vocabulary(target), Matrix(problem.target.table())},
          problem.partner};
}

TEST(StochasticSelfLearning, StartsFromEqualWordsWhereThereAreEnough) {
  const HiddenRotation problem = hidden_rotation(400, 20, 0.01, 3);
  const auto started = [&](std::size_t alike, UnsupervisedStart start) {
    StochasticSelfLearningOptions options = small();
    options.start = start;
    const HiddenRotation named = with_names(problem, alike);
    const AlignmentResult result = solve(named, options);
    EXPECT_GT(named.recovered(result.source_map), 0.95);
    return result.metrics.at("start_pairs");
  };
  using enum UnsupervisedStart;
  EXPECT_EQ(started(120, automatic), 120);
  EXPECT_GT(started(120, profiles), 200);
  EXPECT_GT(started(60, automatic), 200) << "too few, so profiles";
  EXPECT_EQ(started(60, identical), 60);
  StochasticSelfLearningOptions options = small();
  options.start = identical;
  EXPECT_THROW(solve(with_names(problem, 0), options), Error);
}

TEST(StochasticSelfLearning, SameSeedSameMapWhateverTheThreads) {
  const HiddenRotation problem = hidden_rotation(300, 12, 0.05, 5);
  const WithThreads one_thread(1);
  const Matrix one = solve(problem, small(), 4).source_map;
  const WithThreads two_threads(2);
  EXPECT_EQ(solve(problem, small(), 4).source_map, one);
}

TEST(StochasticSelfLearning, ResumesToTheSameBits) {
  const HiddenRotation problem = hidden_rotation(200, 12, 0.05, 6);
  const TemporaryFolder folder;
  StochasticSelfLearningOptions options = small();
  const AlignmentResult whole = solve(problem, options);
  options.session.checkpoint = folder.path("state");
  EXPECT_EQ(solve(problem, options).source_map, whole.source_map);
  options.session.resume = true;
  const AlignmentResult again = solve(problem, options);
  EXPECT_EQ(again.source_map, whole.source_map);
  EXPECT_EQ(again.metrics, whole.metrics);
  options.keep = 0.5;
  EXPECT_THROW(solve(problem, options), UsageError);
}

TEST(StochasticSelfLearning, RefusesWhatCannotBe) {
  EXPECT_THROW(StochasticSelfLearningAligner().solve({WordVectors(), WordVectors(), Lexicon()}), UsageError);
  EXPECT_THROW(StochasticSelfLearningAligner({.words = 1}), UsageError);
  EXPECT_THROW(StochasticSelfLearningAligner({.keep = 0}), UsageError);
  EXPECT_THROW(StochasticSelfLearningAligner({.keep = 1.5}), UsageError);
  EXPECT_THROW(StochasticSelfLearningAligner({.patience = 0}), UsageError);
}

}  // namespace
}  // namespace wordbridge::stochastic_self_learning_test
