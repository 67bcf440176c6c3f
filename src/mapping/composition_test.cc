#include "mapping/composition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "base/option_error.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::composition_test {
namespace {

using ::testing::HasSubstr;

Mapping mapping_of(Matrix w, std::uint64_t source_head = 1, std::uint64_t target_head = 2,
                   std::optional<Matrix> v = std::nullopt, const char* normalization = "unit") {
  Matrix table(1, 1);
  const Normalizer normalizer = Normalizer::fit(Normalizer::parse(normalization), table);
  Mapping mapping(std::move(w), normalizer, normalizer, std::move(v));
  mapping.provenance.source = {.name = "a.vec", .checksum = {}, .head = source_head};
  mapping.provenance.target = {.name = "b.vec", .checksum = {}, .head = target_head};
  mapping.provenance.method = "rcsls";
  mapping.provenance.criterion = "csls";
  return mapping;
}

std::string error_of(const Mapping& first, const Mapping& second) {
  try {
    compose(first, second);
  } catch (const UsageError& error) {
    return command_line_text(error);
  }
  return "no error";
}

TEST(Composition, TheInverseOfARotationGoesBack) {
  const Matrix w = random_orthogonal(5, 5, 1);
  const DerivedMapping back = invert(mapping_of(Matrix(w)));
  EXPECT_LT(largest_difference(back.mapping.source_map(), transpose(w)), 1e-6);
  EXPECT_LT(back.distortion, 1e-6);
  EXPECT_EQ(back.mapping.target_map(), std::nullopt);
  EXPECT_EQ(back.mapping.provenance.source.name, "b.vec");
  EXPECT_EQ(back.mapping.provenance.target.name, "a.vec");
  EXPECT_EQ(back.mapping.provenance.method, "invert");
  EXPECT_EQ(back.mapping.provenance.criterion, "csls");
  EXPECT_LT(largest_difference(invert(back.mapping).mapping.source_map(), w), 1e-6);
}

TEST(Composition, OtherMapsHaveALoss) {
  Matrix w = Matrix::identity(4);
  w(0, 0) = 10;
  const DerivedMapping back = invert(mapping_of(std::move(w)));
  EXPECT_NEAR(back.mapping.source_map()(0, 0), 0.1, 1e-6);
  EXPECT_GT(back.distortion, 0.05);
  // A projection to fewer dimensions: back and forth is the projection itself.
  const Matrix p = random_orthogonal(2, 4, 3);
  const DerivedMapping wider = invert(mapping_of(Matrix(p)));
  EXPECT_LT(largest_difference(multiply(p, wider.mapping.source_map()), Matrix::identity(2)), 1e-6);
}

TEST(Composition, TwoSidesChangePlaces) {
  const Matrix w = random_matrix(3, 4, 1), v = random_matrix(3, 5, 2);
  const DerivedMapping back = invert(mapping_of(Matrix(w), 1, 2, Matrix(v)));
  EXPECT_EQ(largest_difference(back.mapping.source_map(), v), 0);
  EXPECT_EQ(largest_difference(*back.mapping.target_map(), w), 0);
  EXPECT_EQ(back.distortion, 0);
}

TEST(Composition, OneAfterTheOther) {
  const Matrix first = random_orthogonal(4, 4, 1), second = random_matrix(3, 4, 2);
  const DerivedMapping both = compose(mapping_of(Matrix(first), 1, 2), mapping_of(Matrix(second), 2, 3));
  EXPECT_LT(largest_difference(both.mapping.source_map(), multiply(second, first)), 1e-5);
  EXPECT_EQ(both.distortion, 0);
  EXPECT_EQ(both.mapping.provenance.source.head, 1u);
  EXPECT_EQ(both.mapping.provenance.target.head, 3u);
}

TEST(Composition, AMapOfTheTargetIsTurnedAround) {
  const Matrix w = random_orthogonal(4, 4, 1), v = random_orthogonal(4, 4, 2), second = random_orthogonal(4, 4, 3);
  const DerivedMapping both = compose(mapping_of(Matrix(w), 1, 2, Matrix(v)), mapping_of(Matrix(second), 2, 3));
  EXPECT_LT(largest_difference(both.mapping.source_map(), multiply(second, multiply(transpose(v), w))), 1e-5);
  EXPECT_LT(both.distortion, 1e-6);
}

TEST(Composition, RefusesWhatDoesNotMeet) {
  const auto rotation = [](std::uint64_t seed, std::size_t size = 4) { return random_orthogonal(size, size, seed); };
  EXPECT_EQ(error_of(mapping_of(rotation(1), 1, 2), mapping_of(rotation(2), 2, 3)), "no error");
  EXPECT_EQ(error_of(mapping_of(rotation(1), 1, 0), mapping_of(rotation(2), 2, 3)), "no error") << "unknown vectors";
  EXPECT_THAT(error_of(mapping_of(rotation(1), 1, 2), mapping_of(rotation(2), 5, 3)),
              HasSubstr("leads to b.vec, the second begins with other vectors, a.vec"));
  EXPECT_THAT(error_of(mapping_of(rotation(1)), mapping_of(rotation(2, 3))), HasSubstr("dimension 4"));
  EXPECT_THAT(error_of(mapping_of(rotation(1), 1, 2), mapping_of(rotation(2), 2, 3, std::nullopt, "none")),
              HasSubstr("the same --normalize"));
}

Matrix mean_length_one(Matrix rows) {
  normalize_rows(rows);
  return rows;
}

TEST(Composition, InterceptsTakePartInInversesAndProducts) {
  const Matrix w = random_orthogonal(4, 4, 1), x = random_matrix(6, 4, 2);
  Mapping mapping(Matrix(w), {}, {});
  mapping.set_source_intercept({1, -2, 3, 0.5f});
  const Matrix there = mapping.mapped(x, Side::source, false);
  const Mapping back = invert(mapping).mapping;
  EXPECT_LT(largest_difference(back.mapped(there, Side::source, false), x), 1e-5);
  Mapping second(random_matrix(3, 4, 5), {}, {});
  second.set_source_intercept({7, 8, 9});
  const Matrix twice = second.mapped(there, Side::source, false);
  EXPECT_LT(largest_difference(compose(mapping, second).mapping.mapped(x, Side::source, false), twice), 1e-4);
  Mapping both(Matrix(w), {}, {}, Matrix(w));
  both.set_source_intercept({1, 1, 1, 1});
  EXPECT_THROW(invert(both), UsageError);
}

// Where source vectors are the target's own, W and V are equal: into_target() must give the vectors back.
TEST(Composition, IntoTheTargetsOwnCoordinates) {
  const Matrix w = random_matrix(5, 5, 1);
  for (const char* chain : {"none", "unit", "center", "unit,center", "unit,center,unit"}) {
    Matrix table = mean_length_one(random_matrix(400, 5, 2));
    for (std::size_t i = 0; i < table.rows(); ++i) table(i, 0) += 0.3f;  // a mean that is not 0
    table = mean_length_one(std::move(table));
    Matrix copy = table;
    const Normalizer normalizer = Normalizer::fit(Normalizer::parse(chain), copy);
    const Mapping own = into_target(Mapping(Matrix(w), normalizer, normalizer, Matrix(w)));
    EXPECT_EQ(own.target_map(), std::nullopt) << chain;
    EXPECT_EQ(own.normalizer(Side::target).name(), "none") << chain;
    const Matrix back = own.mapped(table, Side::source, true);
    // A last `unit` forgets lengths, which its mean square stands for; all else is exact.
    const bool exact = std::string(chain) != "unit,center,unit";
    double cosine = 0;
    for (std::size_t i = 0; i < table.rows(); ++i)
      for (std::size_t j = 0; j < 5; ++j) cosine += back(i, j) * table(i, j) / 400.0;
    EXPECT_GT(cosine, exact ? 0.99999 : 0.98) << chain;
  }
}

TEST(Composition, AChainOfUnknownLengthsIsRefused) {
  Matrix table = random_matrix(30, 3, 1);
  const Normalizer normalizer = Normalizer::fit(Normalizer::parse("center,unit"), table);
  EXPECT_THROW(into_target(Mapping(Matrix::identity(3), {}, normalizer)), UsageError);
}

TEST(Composition, SaysHowMuchOfTheLengthIsKept) {
  // W keeps the first of two axes, V maps into the first of three: rows (3, 4) keep 9 of 25, and what is mapped, (3, 3,
  // 0), has 9 of 18 in the target's span.
  Matrix w(3, 2), v(3, 1), rows(1, 2);
  w(0, 0) = w(1, 0) = v(0, 0) = 1;
  rows(0, 0) = 3, rows(0, 1) = 4;
  const KeptLength kept = kept_length(Mapping(std::move(w), {}, {}, std::move(v)), rows);
  EXPECT_NEAR(kept.source, 9.0 / 25, 1e-6);
  EXPECT_NEAR(kept.target, 0.5, 1e-6);
  const KeptLength all = kept_length(Mapping(random_orthogonal(4, 4, 1), {}, {}), random_matrix(9, 4, 2));
  EXPECT_NEAR(all.source, 1, 1e-6);
  EXPECT_EQ(all.target, 1);
}

}  // namespace
}  // namespace wordbridge::composition_test
