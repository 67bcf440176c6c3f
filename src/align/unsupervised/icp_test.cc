#include "align/unsupervised/icp.h"

#include <gtest/gtest.h>

#include "align/recovery_test_support.h"
#include "base/effort_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "parallel/threads_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::icp_test {
namespace {

IcpOptions small() {
  return {.words = 300,
          .final_words = 400,
          .dimensions = 10,
          .starts = 4,
          .iterations = 15,
          .final_iterations = 15,
          .batch = 250};
}

AlignmentResult solve(const HiddenRotation& problem, const IcpOptions& options) {
  return IcpAligner(options).solve({problem.source, problem.target, Lexicon()});
}

TEST(Icp, RecoversAHiddenRotation) {
  for (std::uint64_t seed = 1; seed <= effort(3, 1); ++seed) {
    const HiddenRotation problem = hidden_rotation(300, 20, 0.01, seed);
    const AlignmentResult result = solve(problem, small());
    EXPECT_GT(problem.recovered(result.source_map), 0.95) << seed;
    EXPECT_LT(largest_difference(multiply_abt(result.source_map, result.source_map), Matrix::identity(20)), 1e-4);
    const std::vector<double>& errors = result.report.start_errors;
    EXPECT_EQ(errors.size(), 4u);
  }
}

TEST(Icp, SameSeedSameMapWhateverTheThreads) {
  const HiddenRotation problem = hidden_rotation(150, 12, 0.01, 5);
  const WithThreads one_thread(1);
  const Matrix one = solve(problem, small()).source_map;
  const WithThreads two_threads(2);
  EXPECT_EQ(solve(problem, small()).source_map, one);
}

TEST(Icp, ResumesToTheSameBits) {
  const HiddenRotation problem = hidden_rotation(100, 8, 0.01, 6);
  const TemporaryFolder folder;
  auto options = small();
  options.starts = 12;
  const Matrix whole = solve(problem, options).source_map;
  options.session.checkpoint = folder.path("state");
  EXPECT_EQ(solve(problem, options).source_map, whole);
  options.session.resume = true;
  const AlignmentResult again = solve(problem, options);  // the starts come from the checkpoint
  EXPECT_EQ(again.source_map, whole);
  EXPECT_EQ(again.report.start_errors.size(), 12u);
  options.cycle = 0.2;
  EXPECT_THROW(solve(problem, options), UsageError);
}

TEST(Icp, RefusesWhatCannotBe) {
  EXPECT_THROW(IcpAligner().solve({WordVectors(), WordVectors(), Lexicon()}), UsageError);
  EXPECT_THROW(IcpAligner({.words = 1}), UsageError);
  EXPECT_THROW(IcpAligner({.dimensions = 0}), UsageError);
  EXPECT_THROW(IcpAligner({.starts = 0}), UsageError);
  EXPECT_THROW(IcpAligner({.cycle = -1}), UsageError);
}

}  // namespace
}  // namespace wordbridge::icp_test
