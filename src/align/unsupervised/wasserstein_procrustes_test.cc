#include "align/unsupervised/wasserstein_procrustes.h"

#include <gtest/gtest.h>

#include "align/recovery_test_support.h"
#include "base/effort_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "parallel/threads_test_support.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::wasserstein_procrustes_test {
namespace {

WassersteinProcrustesOptions small() {
  return {.start_words = 300,
          .convex = {.steps = 25, .regularization = 2},
          .epochs = 2,
          .words = 300,
          .batch = 200,
          .steps = 40,
          .learning_rate = 100};
}

Matrix solve(const HiddenRotation& problem, const WassersteinProcrustesOptions& options,
             Progress& progress = Progress::none()) {
  Context context({.seed = Context::current().seed(), .progress = &progress});
  const Context::Scope scope(context);
  return WassersteinProcrustesAligner(options).solve({problem.source, problem.target, Lexicon()}).source_map;
}

TEST(WassersteinProcrustes, RecoversAHiddenRotation) {
  for (std::uint64_t seed = 1; seed <= effort(3, 1); ++seed) {
    const HiddenRotation problem = hidden_rotation(300, 20, 0.02, seed);
    for (const TransportStart start : {TransportStart::profiles, TransportStart::convex}) {
      auto options = small();
      options.start = start;
      const Matrix w = solve(problem, options);
      EXPECT_GT(problem.recovered(w), 0.95) << seed;
      EXPECT_LT(largest_difference(multiply_abt(w, w), Matrix::identity(20)), 1e-4);
    }
  }
}

TEST(WassersteinProcrustes, SameSeedSameMapWhateverTheThreads) {
  const HiddenRotation problem = hidden_rotation(200, 12, 0.01, 5);
  auto options = small();
  options.steps = 8;
  const WithThreads one_thread(1);
  const Matrix one = solve(problem, options);
  const WithThreads two_threads(2);
  EXPECT_EQ(solve(problem, options), one);
  Context other({.seed = 2});
  const Context::Scope scope(other);
  EXPECT_FALSE(solve(problem, options) == one);
}

/// Throws when the work has come so far.
class Interruption final : public Progress {
 public:
  explicit Interruption(std::string stage, std::uint64_t at) : stage_(std::move(stage)), at_(at) {}
  void update(std::string_view stage, std::uint64_t done, std::uint64_t, std::string_view) override {
    if (stage.starts_with(stage_) && done == at_) throw std::runtime_error("interrupted");
  }
  void finish(std::string_view) override {}

 private:
  std::string stage_;
  std::uint64_t at_;
};

TEST(WassersteinProcrustes, ResumesToTheSameBits) {
  const HiddenRotation problem = hidden_rotation(120, 10, 0.01, 6);
  const TemporaryFolder folder;
  auto options = small();
  options.steps = 48;
  const Matrix whole = solve(problem, options);
  options.session.checkpoint = folder.path("state");
  Interruption early("transport, epoch 1", 30), late("transport, epoch 2", 2);
  EXPECT_THROW(solve(problem, options, early), std::runtime_error);
  EXPECT_THROW(solve(problem, options), UsageError);  // an unfinished run is not thrown away
  options.session.resume = true;
  EXPECT_THROW(solve(problem, options, late), std::runtime_error);
  EXPECT_EQ(solve(problem, options), whole);
  EXPECT_EQ(solve(problem, options), whole);  // of a finished run at once
  options.batch = 100;
  EXPECT_THROW(solve(problem, options), UsageError);
}

TEST(WassersteinProcrustes, LeavesZeroRowsOutAndTakesTablesOfUnequalSize) {
  HiddenRotation problem = hidden_rotation(200, 8, 0.01, 7);
  for (std::size_t i = 0; i < 20; ++i) std::ranges::fill(problem.source.table().row(i * 7), 0.0f);
  const Matrix w = solve(problem, small());
  EXPECT_LT(largest_difference(multiply_abt(w, w), Matrix::identity(8)), 1e-4);
}

TEST(WassersteinProcrustes, RefusesWhatCannotBe) {
  EXPECT_THROW(WassersteinProcrustesAligner().solve({WordVectors(), WordVectors(), Lexicon()}), UsageError);
  EXPECT_THROW(WassersteinProcrustesAligner({.start_words = 1}), UsageError);
  EXPECT_THROW(WassersteinProcrustesAligner({.epochs = 0}), UsageError);
  EXPECT_THROW(WassersteinProcrustesAligner({.steps = 0}), UsageError);
  EXPECT_THROW(WassersteinProcrustesAligner({.learning_rate = 0}), UsageError);
  EXPECT_THROW(WassersteinProcrustesAligner({.regularization = 0}), UsageError);
}

}  // namespace
}  // namespace wordbridge::wasserstein_procrustes_test
