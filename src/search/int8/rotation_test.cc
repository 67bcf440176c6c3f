#include "search/int8/rotation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "search/kernels/kernel_choice.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::rotation_test {

namespace {

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

TEST(HadamardRotation, KeepsDotProducts) {
  Random random(1);
  for (const std::size_t n : {1, 2, 3, 4, 5, 8, 12, 64, 100, 300, 320, 1024, 4096}) {
    const HadamardRotation rotation(n, *kernels().encode);
    std::vector<float> a(n), b(n);
    for (float& value : a) value = static_cast<float>(random.normal());
    for (float& value : b) value = static_cast<float>(random.normal());
    const double before = dot(a, b), norms = std::sqrt(dot(a, a) * dot(b, b));
    rotation.apply(a.data());
    rotation.apply(b.data());
    EXPECT_NEAR(dot(a, b), before, 2.1 * rotation.error() * norms) << n;
  }
}

TEST(HadamardRotation, SpreadsEveryAxis) {
  for (const std::size_t n : {64, 300, 320, 1000}) {
    const HadamardRotation rotation(n, *kernels().encode);
    for (const std::size_t axis : {std::size_t{0}, n / 2, n - 1}) {
      std::vector<float> a(n);
      a[axis] = 1;
      rotation.apply(a.data());
      float largest = 0;
      for (const float value : a) largest = std::max(largest, std::fabs(value));
      EXPECT_LT(largest, 0.4f) << n << " " << axis;
    }
  }
}

TEST(HadamardRotation, ErrorIsSmallAndNotZero) {
  EXPECT_GT(HadamardRotation(300, *kernels().encode).error(), 1e-7);
  EXPECT_LT(HadamardRotation(300, *kernels().encode).error(), 2e-6);
}

TEST(PrincipalRotation, KeepsDotProducts) {
  for (const std::size_t n : {4, 12, 20, 76, 300}) {
    const Matrix sample = random_rows(Spread::kDecaying, 400, n, n);
    const Matrix rows = random_rows(Spread::kGaussian, 20, n, n + 1);
    const PrincipalRotation rotation(sample, 8, *kernels().encode);
    EXPECT_LT(rotation.error(), 1e-3);
    Matrix rotated(20, n);
    rotation.apply(rows, rotated);
    for (std::size_t i = 0; i < 20; ++i)
      for (std::size_t j = 0; j < 20; ++j) {
        const double size = std::sqrt(dot(rows.row(i), rows.row(i)) * dot(rows.row(j), rows.row(j)));
        EXPECT_NEAR(dot(rotated.row(i), rotated.row(j)), dot(rows.row(i), rows.row(j)), 2.1 * rotation.error() * size);
      }
  }
}

/// Variances 16, 4 and 1 along axes that are known: two spans of two, the third axis in the second.
TEST(PrincipalRotation, PutsTheLargestFirst) {
  Matrix sample(6, 4);
  sample(0, 3) = 4;
  sample(1, 3) = -4;
  sample(2, 0) = 2;
  sample(3, 0) = -2;
  sample(4, 1) = 1;
  sample(5, 1) = -1;
  const PrincipalRotation rotation(sample, 2, *kernels().encode);
  ASSERT_EQ(rotation.span_sizes().size(), 2u);
  EXPECT_NEAR(rotation.span_sizes()[0], std::sqrt((32 + 8) / 12.0), 1e-6);
  EXPECT_NEAR(rotation.span_sizes()[1], std::sqrt(2 / 12.0), 1e-6);
  EXPECT_NEAR(std::fabs(rotation.leading_axes()(0, 3)), 1, 1e-6);
  EXPECT_NEAR(std::fabs(rotation.leading_axes()(1, 0)), 1, 1e-6);
  EXPECT_NEAR(std::fabs(rotation.leading_axes()(2, 1)), 1, 1e-6);
  Matrix rotated(6, 4);
  rotation.apply(sample, rotated);
  for (const std::size_t row : {0, 2}) {
    EXPECT_NEAR(std::hypot(rotated(row, 0), rotated(row, 1)), row == 0 ? 4 : 2, 1e-5);
    EXPECT_NEAR(rotated(row, 2), 0, 1e-5);
    EXPECT_NEAR(rotated(row, 3), 0, 1e-5);
  }
}

/// The one axis that matters is spread over all coordinates of its span.
TEST(PrincipalRotation, MixesWithinSpans) {
  Matrix sample(1, 64);
  sample(0, 5) = 1;
  const PrincipalRotation rotation(sample, 32, *kernels().encode);
  Matrix rotated(1, 64);
  rotation.apply(sample, rotated);
  for (std::size_t j = 0; j < 64; ++j) EXPECT_LT(std::fabs(rotated(0, j)), j < 32 ? 0.7 : 1e-5);
}

TEST(PrincipalRotation, NothingToLearnFrom) {
  const PrincipalRotation rotation(Matrix(3, 8), 4, *kernels().encode);
  EXPECT_LT(rotation.error(), 1e-3);
  EXPECT_THAT(rotation.span_sizes(), testing::ElementsAre(0, 0));
}

}  // namespace

}  // namespace wordbridge::rotation_test
