#include "align/unsupervised/adversarial.h"

#include <gtest/gtest.h>

#include "align/recovery_test_support.h"
#include "align/unsupervised/unsupervised_criterion.h"
#include "base/effort_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "linalg/blas.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::adversarial_test {
namespace {

AdversarialOptions small() { return {.hidden = 16, .words = 300, .epochs = 3, .epoch_words = 640, .batch = 16}; }

AlignmentResult solve(const HiddenRotation& problem, const AdversarialOptions& options,
                      Progress& progress = Progress::none()) {
  Context context({.progress = &progress});
  const Context::Scope scope(context);
  return AdversarialAligner(options).solve({problem.source, problem.target, Lexicon()});
}

TEST(Adversarial, FindsTheHiddenRotation) {
  for (std::uint64_t seed = 1; seed <= effort(3, 1); ++seed) {
    const HiddenRotation problem = hidden_rotation(500, 20, 0.01, 7);
    const AdversarialOptions options = {.hidden = 64, .dimensions = 6, .epochs = 2};
    EXPECT_GT(problem.recovered(solve(problem, options).source_map), 0.95) << seed;
  }
}

TEST(Adversarial, KeepsTheBestEpoch) {
  const HiddenRotation problem = hidden_rotation(100, 6, 0.01, 1);
  const AlignmentResult result = solve(problem, small());
  const std::vector<double>& scores = result.report.epoch_scores;
  ASSERT_EQ(scores.size(), 3u);
  const UnsupervisedCriterion criterion(problem.source.table(), problem.target.table());
  EXPECT_DOUBLE_EQ(criterion.score(to_double(result.source_map)), *std::ranges::max_element(scores));
}

TEST(Adversarial, PlayedInFewAxesEndsInARotationOfAllDimensions) {
  const HiddenRotation problem = hidden_rotation(100, 6, 0.01, 1);
  auto options = small();
  options.dimensions = 3;
  const Matrix w = solve(problem, options).source_map;
  ASSERT_EQ(w.rows(), 6u);
  ASSERT_EQ(w.cols(), 6u);
  const Matrix square = multiply_abt(w, w);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(square(i, j), i == j ? 1 : 0, 1e-5);
}

/// Throws at the given step of a stage.
class Interruption final : public Progress {
 public:
  void update(std::string_view stage, std::uint64_t, std::uint64_t, std::string_view) override {
    if (stage.starts_with("adversarial, epoch 3")) throw std::runtime_error("interrupted");
  }
  void finish(std::string_view) override {}
};

TEST(Adversarial, ResumesToTheSameBits) {
  const HiddenRotation problem = hidden_rotation(80, 5, 0.01, 2);
  const TemporaryFolder folder;
  auto options = small();
  options.dimensions = 4;
  const AlignmentResult whole = solve(problem, options);
  options.session.checkpoint = folder.path("state");
  Interruption interruption;
  EXPECT_THROW(solve(problem, options, interruption), std::runtime_error);
  options.session.resume = true;
  const AlignmentResult resumed = solve(problem, options);
  EXPECT_EQ(resumed.source_map, whole.source_map);
  EXPECT_EQ(resumed.report.epoch_scores, whole.report.epoch_scores);
}

TEST(Adversarial, RefusesWhatCannotBe) {
  EXPECT_THROW(AdversarialAligner().solve({WordVectors(), WordVectors(), Lexicon()}), UsageError);
  EXPECT_THROW(AdversarialAligner({.hidden = 0}), UsageError);
  EXPECT_THROW(AdversarialAligner({.dimensions = 0}), UsageError);
  EXPECT_THROW(AdversarialAligner({.epochs = 0}), UsageError);
  EXPECT_THROW(AdversarialAligner({.learning_rate = 0}), UsageError);
  EXPECT_THROW(AdversarialAligner({.mapping_rate = 0}), UsageError);
  EXPECT_THROW(AdversarialAligner({.orthogonality = -1}), UsageError);
}

}  // namespace
}  // namespace wordbridge::adversarial_test
