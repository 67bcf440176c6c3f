#include "optimize/constraint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "linalg/random_map_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::constraint_test {
namespace {

struct Shape {
  std::size_t rows, cols;
};

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
