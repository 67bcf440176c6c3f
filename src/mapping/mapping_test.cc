#include "wordbridge/mapping.h"

#include <gmock/gmock.h>

#include <cmath>

#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "mapping/mapping_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::mapping_test {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;
using ::testing::Pointwise;

Matrix rows_of(std::size_t rows, std::size_t cols, std::initializer_list<float> values) {
  Matrix matrix(rows, cols);
  std::copy(values.begin(), values.end(), matrix.data());
  return matrix;
}

WordVectors vectors_of(std::vector<std::string> words, Matrix table, std::string path = "en.vec") {
  ReadSummary summary;
  summary.path = std::move(path);
  return WordVectors(Vocabulary(words), std::move(table), summary);
}

std::string usage_error(const auto& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no UsageError";
}

TEST(Mapping, MapsByHandWorkedExample) {
  // W = [[1, 2], [0, 1], [3, 0]]: (1, 2) goes to (5, 2, 3).
  const Mapping mapping(rows_of(3, 2, {1, 2, 0, 1, 3, 0}), {}, {});
  EXPECT_EQ(mapping.input_dimension(Side::source), 2u);
  EXPECT_EQ(mapping.input_dimension(Side::target), 3u);
  EXPECT_EQ(mapping.common_dimension(), 3u);
  const Matrix mapped = mapping.apply(rows_of(2, 2, {1, 2, 0, 0}), Side::source, false);
  EXPECT_THAT(mapped.elements(), ElementsAre(5, 2, 3, 0, 0, 0));
}

TEST(Mapping, AddsTheInterceptToSourceRows) {
  // W = [[1, 2], [0, 1], [3, 0]], b = (10, 20, 30): (1, 2) goes to (15, 22, 33); a row without a direction stays so.
  Mapping mapping(rows_of(3, 2, {1, 2, 0, 1, 3, 0}), {}, {});
  mapping.set_source_intercept({10, 20, 30});
  EXPECT_THAT(mapping.apply(rows_of(2, 2, {1, 2, 0, 0}), Side::source, false).elements(),
              ElementsAre(15, 22, 33, 0, 0, 0));
  EXPECT_THAT(mapping.apply(rows_of(1, 3, {1, 2, 3}), Side::target, false).elements(), ElementsAre(1, 2, 3));
  EXPECT_THAT(usage_error([&] { mapping.set_source_intercept({1, 2}); }), HasSubstr("dimension 2"));
}

TEST(Mapping, LeavesTargetAloneWithoutTargetMap) {
  const Mapping mapping(rows_of(3, 2, {1, 2, 0, 1, 3, 0}), {}, {});
  const Matrix mapped = mapping.apply(rows_of(1, 3, {3, 0, 4}), Side::target, false);
  EXPECT_THAT(mapped.elements(), ElementsAre(3, 0, 4));
  const Matrix unit = mapping.apply(rows_of(1, 3, {3, 0, 4}), Side::target, true);
  EXPECT_THAT(unit.elements(), ElementsAre(FloatEq(0.6f), 0, FloatEq(0.8f)));
}

// More rows than a block, and not a multiple of one.
TEST(Mapping, MapsTablesThatStayAsTheyAre) {
  const Matrix table = random_matrix(33'000, 3, 1), before(table);
  const Mapping mapping(random_matrix(4, 3, 2), {}, {});
  for (const bool unit : {false, true}) {
    EXPECT_EQ(mapping.mapped(table, Side::source, unit), mapping.apply(Matrix(table), Side::source, unit));
    EXPECT_EQ(table, before);
  }
  EXPECT_EQ(mapping.mapped(ConstMatrixView(nullptr, 0, 3), Side::source, true).rows(), 0u);
  EXPECT_THAT(usage_error([&] { mapping.mapped(table, Side::target, true); }), HasSubstr("dimension"));
}

// A block that is mapped alone has the bits that it has among all rows, which are mapped in place.
TEST(Mapping, ABlockAloneIsAsAmongAllRows) {
  const Matrix table = random_matrix(3'000, 5, 1);
  const Mapping mapping(random_matrix(5, 5, 2), {}, {});
  const Matrix all = mapping.apply(Matrix(table), Side::source, true);
  for (std::size_t begin = 0; begin < table.rows(); begin += 1024) {
    const std::size_t end = std::min<std::size_t>(table.rows(), begin + 1024);
    EXPECT_EQ(mapping.apply(Matrix::copy_of(table.view().slice(begin, end)), Side::source, true),
              Matrix::copy_of(all.view().slice(begin, end)));
  }
}

TEST(Mapping, MovesBothSides) {
  const Mapping mapping(rows_of(1, 2, {1, 1}), {}, {}, rows_of(1, 3, {1, 0, 2}));
  EXPECT_EQ(mapping.input_dimension(Side::target), 3u);
  EXPECT_EQ(mapping.apply(rows_of(1, 2, {2, 3}), Side::source, false)(0, 0), 5);
  EXPECT_EQ(mapping.apply(rows_of(1, 3, {2, 3, 4}), Side::target, false)(0, 0), 10);
}

TEST(Mapping, NormalizesBeforeAndAfter) {
  // unit: (3, 4) -> (0.6, 0.8); center by (0.6, 0): (0, 0.8); W swaps: (0.8, 0); unit: (1, 0).
  const auto normalizer =
      Normalizer::from_parts({Normalizer::Step::unit, Normalizer::Step::center}, {std::vector<float>{0.6f, 0}});
  const Mapping mapping(rows_of(2, 2, {0, 1, 1, 0}), normalizer, {});
  EXPECT_THAT(mapping.apply(rows_of(1, 2, {3, 4}), Side::source, false).elements(), Pointwise(FloatEq(), {0.8f, 0.0f}));
  EXPECT_THAT(mapping.apply(rows_of(1, 2, {3, 4}), Side::source, true).elements(), Pointwise(FloatEq(), {1.0f, 0.0f}));
}

TEST(Mapping, ZeroRowsStayZero) {
  const auto normalizer = Normalizer::from_parts({Normalizer::Step::center}, {std::vector<float>{1, 2}});
  const Mapping mapping(rows_of(2, 2, {1, 2, 3, 4}), normalizer, {});
  EXPECT_THAT(mapping.apply(rows_of(1, 2, {0, 0}), Side::source, true).elements(), ElementsAre(0, 0));
}

TEST(Mapping, RefusesAnotherDimensionAndNamesBoth) {
  const Mapping mapping(rows_of(3, 2, {1, 2, 0, 1, 3, 0}), {}, {});
  EXPECT_EQ(usage_error([&] { mapping.apply(vectors_of({"a"}, Matrix(1, 5)), Side::source, true); }),
            "the mapping takes source vectors of dimension 2, but en.vec has dimension 5");
  EXPECT_THAT(usage_error([&] { mapping.apply(Matrix(1, 2), Side::target, true); }),
              HasSubstr("takes target vectors of dimension 3"));
}

TEST(Mapping, RefusesPartsThatDoNotFit) {
  EXPECT_THAT(usage_error([] { Mapping(Matrix(2, 3), {}, {}, Matrix(4, 3)); }),
              "the source map leads to dimension 2, the target map to 4");
  const auto normalizer = Normalizer::from_parts({Normalizer::Step::center}, {std::vector<float>{1, 2}});
  EXPECT_THAT(usage_error([&] { Mapping(Matrix(2, 3), normalizer, {}); }), HasSubstr("source"));
  EXPECT_THAT(usage_error([&] { Mapping(Matrix(3, 3), {}, normalizer); }), HasSubstr("target"));
  EXPECT_THAT(usage_error([] { Mapping(Matrix(), {}, {}); }), HasSubstr("rows and columns"));
}

TEST(Mapping, AppliesToWholeVectorsWithSubwords) {
  const Mapping mapping(random_matrix(4, 3, 1), Normalizer::from_parts({Normalizer::Step::unit}, {}), {});
  WordVectors vectors = vectors_of({"a", "b"}, random_matrix(2, 3, 2));
  const std::vector<float> subword = {1, 2, 3};
  vectors.set_subword_model([&](std::string_view word) -> std::optional<std::vector<float>> {
    if (word == "none") return std::nullopt;
    return subword;
  });
  const Matrix expected = mapping.apply(Matrix(vectors.table()), Side::source, true);
  const Matrix expected_subword = mapping.apply(rows_of(1, 3, {1, 2, 3}), Side::source, true);
  const WordVectors mapped = mapping.apply(vectors, Side::source, true);
  EXPECT_EQ(mapped.table(), expected);
  EXPECT_EQ(mapped.vocabulary(), vectors.vocabulary());
  EXPECT_EQ(mapped.summary().path, "en.vec");
  ASSERT_TRUE(mapped.subword_vector("c").has_value());
  EXPECT_THAT(*mapped.subword_vector("c"), Pointwise(FloatEq(), expected_subword.elements()));
  EXPECT_FALSE(mapped.subword_vector("none").has_value());
}

TEST(Mapping, WhatIsTooLargeForAFloatIsAnError) {
  Matrix huge = Matrix::identity(2);
  huge(1, 1) = 3e38f;
  const Mapping mapping(huge, {}, {});
  EXPECT_NO_THROW(mapping.apply(rows_of(1, 2, {1, 1}), Side::source, false));
  EXPECT_THAT(mapping.apply(rows_of(1, 2, {0, 3}), Side::target, false).row(0)[1], FloatEq(3));
  for (const bool unit : {false, true}) {
    EXPECT_THROW(mapping.apply(rows_of(2, 2, {1, 1, 0, 3}), Side::source, unit), Error);
    Matrix many(3000, 2);  // mapped in place
    many(2999, 1) = -3;
    EXPECT_THROW(mapping.apply(std::move(many), Side::source, unit), Error);
  }
}

TEST(Mapping, WarnsOfOtherVectors) {
  Mapping mapping(random_matrix(2, 2, 1), {}, {});
  const WordVectors fitted = vectors_of({"a", "b"}, rows_of(2, 2, {1, 2, 3, 4}));
  EXPECT_EQ(mapping.mismatch(fitted, Side::source), std::nullopt) << "a mapping that knows no vectors";
  mapping.provenance.source = {"wiki.en.vec", content_checksum(fitted.vocabulary(), fitted.table()), 2, 2};
  EXPECT_EQ(mapping.mismatch(fitted, Side::source), std::nullopt);
  EXPECT_EQ(mapping.mismatch(fitted, Side::target), std::nullopt);
  const std::string start = "en.vec: not the source vectors that the mapping was fitted on (wiki.en.vec, 2 words): ";
  EXPECT_EQ(mapping.mismatch(vectors_of({"a", "b"}, rows_of(2, 2, {1, 2, 3, 5})), Side::source),
            start + "words or values differ");
  EXPECT_EQ(mapping.mismatch(vectors_of({"a", "c"}, rows_of(2, 2, {1, 2, 3, 4})), Side::source),
            start + "words or values differ");
  EXPECT_EQ(mapping.mismatch(vectors_of({"a"}, rows_of(1, 2, {1, 2})), Side::source), start + "1 word here");
  mapping.provenance.target = mapping.provenance.source;
  mapping.provenance.target.checksum = std::string(64, '0');
  EXPECT_THAT(mapping.mismatch(fitted, Side::target).value_or(""), HasSubstr(": they are its source vectors"));
}

}  // namespace
}  // namespace wordbridge::mapping_test
