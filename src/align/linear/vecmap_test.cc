#include "align/linear/vecmap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "align/aligner_test_support.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::vecmap_test {
namespace {

struct Twin {
  MatrixD transform, inverse;
};

/// V S⁻¹ Vᵀ and its inverse, by the SVD of the rows themselves.
Twin whitening(const MatrixD& rows) {
  const Svd s = svd(rows);
  MatrixD down = s.vt, up = s.vt;
  for (std::size_t i = 0; i < s.s.size(); ++i)
    for (std::size_t j = 0; j < rows.cols(); ++j) {
      down(i, j) /= s.s[i];
      up(i, j) *= s.s[i];
    }
  return {multiply(transpose(s.vt), down), multiply(transpose(s.vt), up)};
}

/// The published sequence of operations on whole tables, one after the other; all rows are lexicon rows.
std::pair<MatrixD, MatrixD> published_sequence(const MatrixD& x, const MatrixD& z, double reweight) {
  const Twin wx = whitening(x), wz = whitening(z);
  MatrixD xw = multiply(x, wx.transform), zw = multiply(z, wz.transform);
  const Svd s = svd(multiply_atb(xw.view(), zw.view()));
  const MatrixD rotation_x = s.u, rotation_z = transpose(s.vt);
  xw = multiply(xw, rotation_x);
  zw = multiply(zw, rotation_z);
  for (std::size_t i = 0; i < xw.rows(); ++i)
    for (std::size_t j = 0; j < xw.cols(); ++j) {
      xw(i, j) *= std::pow(s.s[j], reweight);
      zw(i, j) *= std::pow(s.s[j], reweight);
    }
  xw = multiply(xw, multiply(transpose(rotation_x), multiply(wx.inverse, rotation_x)));
  zw = multiply(zw, multiply(transpose(rotation_z), multiply(wz.inverse, rotation_z)));
  return {xw, zw};
}

TEST(Vecmap, EqualsThePublishedSequenceOfSteps) {
  const Matrix x = random_unit_rows(80, 6, 1);
  Matrix y = multiply_abt(x, random_orthogonal(6, 6, 2));
  const Matrix noise = random_matrix(80, 6, 3);
  for (std::size_t i = 0; i < y.size(); ++i) y.data()[i] += 0.1f * noise.data()[i];
  const WordVectors source = numbered_vectors(x), target = numbered_vectors(y);
  const Lexicon lexicon = diagonal_lexicon(80);
  for (const double reweight : {0.0, 0.5, 1.0}) {
    const AlignmentResult result = VecmapAligner({.reweight = reweight}).solve({source, target, lexicon});
    const Matrix xm = multiply_abt(x, result.source_map), ym = multiply_abt(y, *result.target_map);
    const auto [xt, yt] = published_sequence(to_double(x), to_double(y), reweight);
    // Singular vectors are defined up to a common sign, so the scores between the sides are what must agree.
    EXPECT_LT(largest_difference(multiply_abt(xm, ym), to_float(multiply_abt(xt, yt))), 1e-5) << reweight;
    EXPECT_LT(largest_difference(multiply_abt(xm, xm), to_float(multiply_abt(xt, xt))), 1e-5) << reweight;
    EXPECT_LT(largest_difference(multiply_abt(ym, ym), to_float(multiply_abt(yt, yt))), 1e-5) << reweight;
  }
}

TEST(Vecmap, FewerPairsThanDimensionsStayFinite) {
  const WordVectors source = numbered_vectors(random_unit_rows(30, 12, 5)),
                    target = numbered_vectors(random_unit_rows(30, 10, 6));
  const Lexicon lexicon = diagonal_lexicon(4);
  const AlignmentResult result = VecmapAligner().solve({source, target, lexicon});
  EXPECT_EQ(result.source_map.rows(), 10u);
  for (const float value : result.source_map.elements()) EXPECT_TRUE(std::isfinite(value));
  for (const float value : result.target_map->elements()) EXPECT_TRUE(std::isfinite(value));
  // The four pairs span what the maps see: each mapped pair points the same way.
  const Matrix xm = multiply_abt(source.table().view().slice(0, 4), result.source_map);
  const Matrix ym = multiply_abt(target.table().view().slice(0, 4), *result.target_map);
  for (std::size_t i = 0; i < 4; ++i) {
    double dot = 0;
    for (std::size_t j = 0; j < xm.cols(); ++j) dot += static_cast<double>(xm(i, j)) * ym(i, j);
    EXPECT_GT(dot, 0.1);
  }
}

TEST(Vecmap, KeepsTheLeadingDimensions) {
  const WordVectors source = numbered_vectors(random_unit_rows(50, 7, 8)),
                    target = numbered_vectors(random_unit_rows(50, 7, 9));
  const Lexicon lexicon = diagonal_lexicon(50);
  const AlignmentResult all = VecmapAligner().solve({source, target, lexicon});
  const AlignmentResult three = VecmapAligner({.dimensions = 3}).solve({source, target, lexicon});
  EXPECT_EQ(largest_difference(three.source_map, all.source_map.view().slice(0, 3)), 0);
  EXPECT_EQ(largest_difference(*three.target_map, all.target_map->view().slice(0, 3)), 0);
}

TEST(Vecmap, RefusesAnExponentBelowZero) {
  for (const double reweight : {-0.5, double{INFINITY}, double{NAN}})
    EXPECT_THROW(VecmapAligner({.reweight = reweight}), UsageError);
}

}  // namespace
}  // namespace wordbridge::vecmap_test
