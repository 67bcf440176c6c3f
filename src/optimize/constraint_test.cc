#include "optimize/constraint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/random_map_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::constraint_test {

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
  EXPECT_LT(largest_difference(make_constraint("spectral")->project(turned(3, 0.5)), turned(1, 0.5)), 1e-14);
}

TEST(SpectralTest, NormIsAtMostOne) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const MatrixD w = make_constraint("spectral")->project(random_map(20, 13 + seed, 3, seed));
    EXPECT_LE(svd(w).s.front(), 1 + 1e-12);
  }
}

TEST(SpectralTest, LeavesEveryBitInsideTheBall) {
  const MatrixD w = random_map(8, 8, 0.01, 3);
  EXPECT_EQ(make_constraint("spectral")->project(w), w);
}

struct Shape {
  std::size_t rows, cols;
};

TEST(OrthogonalTest, RowsOrColumnsAreOrthonormal) {
  for (const Shape shape : {Shape{30, 30}, Shape{12, 30}, Shape{30, 12}}) {
    const MatrixD w = make_constraint("orthogonal")->project(random_map(shape.rows, shape.cols, 5, 4));
    const MatrixD gram = shape.rows <= shape.cols ? multiply_abt(w, w) : multiply_atb(w, w);
    EXPECT_LT(largest_difference(gram, MatrixD::identity(std::min(shape.rows, shape.cols))), 1e-12);
  }
}

/// What every constraint promises, over all of them and over square, wide, tall and one-element shapes.
class ConstraintContract : public testing::TestWithParam<std::tuple<const char*, Shape>> {
 protected:
  std::unique_ptr<Constraint> constraint = make_constraint(std::get<0>(GetParam()));
  Shape shape = std::get<1>(GetParam());
};

TEST_P(ConstraintContract, KnowsItsName) { EXPECT_EQ(constraint->name(), std::get<0>(GetParam())); }

TEST_P(ConstraintContract, ProjectingTwiceChangesNothing) {
  for (const double scale : {0.01, 1.0, 50.0}) {
    const MatrixD once = constraint->project(random_map(shape.rows, shape.cols, scale, 7));
    EXPECT_LT(largest_difference(constraint->project(once), once), 1e-12) << "scale " << scale;
  }
}

TEST_P(ConstraintContract, NoOtherMemberIsCloser) {
  const MatrixD w = random_map(shape.rows, shape.cols, 2, 8);
  const double moved = distance(w, constraint->project(w));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    MatrixD near = random_map(shape.rows, shape.cols, 0.3, 100 + seed);
    for (std::size_t i = 0; i < near.size(); ++i) near.data()[i] += w.data()[i];
    EXPECT_LE(moved, distance(w, constraint->project(near)) + 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ConstraintContract,
                         testing::Combine(testing::Values("none", "spectral", "orthogonal"),
                                          testing::Values(Shape{1, 1}, Shape{6, 6}, Shape{4, 9}, Shape{9, 4},
                                                          Shape{40, 40})));

TEST(UnconstrainedTest, LeavesEveryBit) {
  const MatrixD w = random_map(5, 7, 100, 1);
  EXPECT_EQ(make_constraint("none")->project(w), w);
}

TEST(MakeConstraintTest, NamesWhatIsKnown) {
  try {
    make_constraint("unitary");
    FAIL() << "accepted an unknown name";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("none, spectral, orthogonal"));
  }
}

TEST(ConstraintTest, NotANumberIsAnError) {
  MatrixD w = random_map(4, 4, 1, 5);
  w(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(make_constraint("spectral")->project(w), Error);
  EXPECT_THROW(make_constraint("orthogonal")->project(w), Error);
}

}  // namespace

}  // namespace wordbridge::constraint_test
