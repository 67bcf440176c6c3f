#include "retrieval/softmax_sums.h"

#include <gmock/gmock.h>

#include <cmath>

#include "linalg/random_matrix_test_support.h"
#include "parallel/threads_test_support.h"
#include "retrieval/dense_criteria_test_support.h"

namespace wordbridge::softmax_sums_test {
namespace {

using ::testing::ElementsAre;

TEST(SoftmaxSums, AsDefined) {
  // Sizes beside the blocks' and lanes'.
  for (const std::size_t words : {1, 7, 513, 1500}) {
    const Matrix sources = random_unit_rows(words, 20, 1), targets = random_unit_rows(129, 20, 2);
    for (const double beta : {0.01, 1.0, 30.0, 1000.0}) {
      const SoftmaxSums expected = dense_softmax_sums(sources, targets, beta),
                        found = softmax_sums(UnitRows::view(sources), targets, beta);
      ASSERT_EQ(found.logs.size(), expected.logs.size());
      for (std::size_t y = 0; y < found.logs.size(); ++y) {
        EXPECT_NEAR(found.logs[y], expected.logs[y], 1e-6 * beta + 1e-6) << beta;
        EXPECT_NEAR(found.means[y], expected.means[y], 1e-6 * beta + 1e-6) << beta;
      }
    }
  }
}

TEST(SoftmaxSums, ByHand) {
  // Cosines 1 and 0 with beta = log 3: the sum is 3 + 1, the mean (3 * 1 + 1 * 0) / 4. The zero row counts nothing.
  Matrix sources(3, 2), targets(1, 2);
  sources(0, 0) = 1, sources(2, 1) = 1, targets(0, 0) = 1;
  const SoftmaxSums sums = softmax_sums(UnitRows::view(sources), targets, std::log(3.0));
  EXPECT_NEAR(sums.logs[0], std::log(4.0), 1e-6);
  EXPECT_NEAR(sums.means[0], 0.75, 1e-6);
}

TEST(SoftmaxSums, WithoutSourceWords) {
  const Matrix targets = random_unit_rows(2, 3, 1);
  EXPECT_THAT(softmax_sums(UnitRows::take(Matrix(0, 3)), targets, 1).logs, ElementsAre(0, 0));
  EXPECT_THAT(softmax_sums(UnitRows::take(Matrix(4, 3)), targets, 1).means, ElementsAre(0, 0));
}

TEST(SoftmaxSums, SameWhateverTheThreads) {
  const Matrix sources = random_unit_rows(900, 12, 1), targets = random_unit_rows(700, 12, 2);
  const WithThreads one_thread(1);
  const SoftmaxSums one = softmax_sums(UnitRows::view(sources), targets, 30);
  const WithThreads three_threads(3);
  const SoftmaxSums three = softmax_sums(UnitRows::view(sources), targets, 30);
  EXPECT_EQ(one.logs, three.logs);
  EXPECT_EQ(one.means, three.means);
}

}  // namespace
}  // namespace wordbridge::softmax_sums_test
