#include "mapping/affine_side.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::affine_side_test {
namespace {

Normalizer fitted(const char* chain, const Matrix& table) {
  Matrix copy = Matrix::copy_of(table.view());
  return Normalizer::fit(Normalizer::parse(chain), copy);
}

/// The mean of rows [begin, end).
Matrix mean_of(const Matrix& rows, std::size_t begin, std::size_t end) {
  Matrix mean(1, rows.cols());
  for (std::size_t j = 0; j < rows.cols(); ++j) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += rows(i, j);
    mean(0, j) = static_cast<float>(sum / static_cast<double>(end - begin));
  }
  return mean;
}

struct AffineSideTest : ::testing::Test {
  const Matrix table = random_matrix(60, 5, 1);
  const Matrix w = random_matrix(3, 5, 2);
  Mapping mapping(const char* chain) const {
    return Mapping(Matrix::copy_of(w.view()), fitted(chain, table), Normalizer(), std::nullopt);
  }
};

TEST_F(AffineSideTest, Kinds) {
  using Kind = AffineSide::Kind;
  for (const auto& [chain, kind] :
       std::initializer_list<std::pair<const char*, Kind>>{{"none", Kind::exact},
                                                           {"center", Kind::exact},
                                                           {"center,center", Kind::exact},
                                                           {"unit", Kind::directions},
                                                           {"center,unit", Kind::directions},
                                                           {"unit,unit", Kind::directions},
                                                           {"unit,center", Kind::none},
                                                           {"unit,center,unit", Kind::none}}) {
    EXPECT_EQ(AffineSide::kind_of(fitted(chain, table)), kind) << chain;
    if (kind == Kind::none) {
      EXPECT_THROW(AffineSide(mapping(chain), Side::source), UsageError);
    }
  }
}

TEST_F(AffineSideTest, MeansOfMappedRowsAreMappedMeans) {
  for (const char* chain : {"none", "center", "center,center"}) {
    const Mapping m = mapping(chain);
    const Matrix mapped = AffineSide(m, Side::source).apply(Matrix::copy_of(table.view()));
    for (std::size_t begin = 0; begin + 7 <= table.rows(); begin += 7) {
      const Matrix expected = m.apply(mean_of(table, begin, begin + 7), Side::source, false);
      const Matrix mean = mean_of(mapped, begin, begin + 7);
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(mean(0, j), expected(0, j), 1e-6) << chain;
    }
  }
}

TEST_F(AffineSideTest, TheInterceptIsAdded) {
  Mapping m = mapping("center");
  m.set_source_intercept({1, -2, 3});
  EXPECT_LT(largest_difference(AffineSide(m, Side::source).apply(Matrix::copy_of(table.view())),
                               m.mapped(table, Side::source, false)),
            1e-5);
}

TEST_F(AffineSideTest, DirectionsAreExactWhereUnitComesLast) {
  for (const char* chain : {"none", "center", "unit", "center,unit"}) {
    const Mapping m = mapping(chain);
    EXPECT_NEAR(AffineSide(m, Side::source).mean_cosine(table), 1, 1e-6) << chain;
    EXPECT_NEAR(AffineSide(m, Side::target).mean_cosine(random_matrix(4, 3, 5)), 1, 1e-6) << chain;
  }
}

TEST_F(AffineSideTest, OtherChainsAreApproximated) {
  Matrix alike = Matrix::copy_of(table.view());  // rows of one length: then the approximation is exact
  normalize_rows(alike);
  for (float& value : alike.elements()) value *= 3;
  const Mapping m(Matrix::copy_of(w.view()), fitted("unit,center,unit", alike), Normalizer(), std::nullopt);
  EXPECT_NEAR(AffineSide(m, Side::source, alike).mean_cosine(alike), 1, 1e-6);
  const Mapping rough = mapping("unit,center,unit");
  const double cosine = AffineSide(rough, Side::source, table).mean_cosine(table);
  EXPECT_GT(cosine, 0.9);
  EXPECT_LT(cosine, 1 - 1e-6);
}

TEST_F(AffineSideTest, ZeroRowsAreMappedLikeOthers) {
  const Mapping m = mapping("center");
  const AffineSide side(m, Side::source);
  const Matrix zero = side.apply(Matrix(1, 5));
  const Matrix two = side.apply(Matrix::copy_of(table.view().slice(0, 1)));
  Matrix half = Matrix::copy_of(table.view().slice(0, 1));
  for (float& value : half.elements()) value /= 2;
  const Matrix mapped_half = side.apply(std::move(half));
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(mapped_half(0, j), (zero(0, j) + two(0, j)) / 2, 1e-6);
}

}  // namespace
}  // namespace wordbridge::affine_side_test
