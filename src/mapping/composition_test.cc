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

}  // namespace
}  // namespace wordbridge::composition_test
