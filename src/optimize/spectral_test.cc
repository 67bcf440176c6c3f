#include "optimize/spectral.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/lapack.h"
#include "linalg/random_map_test_support.h"

namespace wordbridge::spectral_test {
namespace {

TEST(SpectralTest, CutsOnlyTheSingularValuesAboveOne) {
  // diag(3, 0.5) between two rotations: the result must be the same rotations around diag(1, 0.5).
  const double c1 = std::cos(0.3), s1 = std::sin(0.3), c2 = std::cos(1.1), s2 = std::sin(1.1);
  const auto turned = [&](double a, double b) {
    MatrixD m(2, 2);
    m(0, 0) = c1 * a * c2 + s1 * b * s2;
    m(0, 1) = -c1 * a * s2 + s1 * b * c2;
    m(1, 0) = -s1 * a * c2 + c1 * b * s2;
    m(1, 1) = s1 * a * s2 + c1 * b * c2;
    return m;
  };
  EXPECT_LT(largest_difference(SpectralConstraint().project(turned(3, 0.5)), turned(1, 0.5)), 1e-14);
}

TEST(SpectralTest, NormIsAtMostOne) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const MatrixD w = SpectralConstraint().project(random_map(20, 13 + seed, 3, seed));
    EXPECT_LE(svd(w).s.front(), 1 + 1e-12);
  }
}

TEST(SpectralTest, LeavesEveryBitInsideTheBall) {
  const MatrixD w = random_map(8, 8, 0.01, 3);
  EXPECT_EQ(SpectralConstraint().project(w), w);
}

}  // namespace
}  // namespace wordbridge::spectral_test
