#include "mapping/origin_check.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "linalg/random_matrix_test_support.h"

namespace wordbridge::origin_check_test {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kWords = {"a", "b", "a", "c", "d"};

Matrix without_third(const Matrix& table) {
  Matrix result(4, table.cols());
  for (std::size_t i = 0; i < 4; ++i) std::ranges::copy(table.row(i < 2 ? i : i + 1), result.row(i).begin());
  return result;
}

/// Fitted on the first `words` distinct words of kWords with these rows.
Mapping fitted_on(const Matrix& table, std::size_t words) {
  Matrix distinct = without_third(table);
  distinct.truncate_rows(words);
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  const Vocabulary vocabulary(std::span<const std::string>(names).first(words));
  Mapping mapping(Matrix::identity(table.cols()), {}, {});
  mapping.provenance.source = {"en.vec", content_checksum(vocabulary, distinct), words, table.cols()};
  return mapping;
}

std::optional<std::string> check(const Mapping& mapping, const Matrix& table, Side side = Side::source) {
  OriginCheck check(mapping, side);
  const ConstMatrixView rows = table;
  check.add({kWords.begin(), kWords.begin() + 1}, rows.slice(0, 1));  // the cut into blocks does not matter
  check.add({kWords.begin() + 1, kWords.end()}, rows.slice(1, 5));
  return check.mismatch("x.vec");
}

TEST(OriginCheck, KnowsTheVectorsAgainThoughTheFileIsLongerAndHasDuplicates) {
  const Matrix table = random_matrix(5, 3, 1);
  EXPECT_EQ(check(fitted_on(table, 3), table), std::nullopt);
  EXPECT_EQ(check(fitted_on(table, 4), table), std::nullopt);
}

TEST(OriginCheck, KnowsTablesOfManyBlocks) {
  for (const std::size_t words : {8191, 8192, 8193, 20000}) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < words; ++i) names.push_back("w" + std::to_string(i * i));
    const Matrix table = random_matrix(words, 2, 5);
    Mapping mapping(Matrix::identity(2), {}, {});
    mapping.provenance.target = {"es.vec", content_checksum(Vocabulary(names), table), words, 2};
    OriginCheck check(mapping, Side::target);
    check.add(names, table);
    EXPECT_EQ(check.mismatch("x.vec"), std::nullopt) << words;
  }
}

TEST(OriginCheck, WarnsOfOtherVectors) {
  const Matrix table = random_matrix(5, 3, 1);
  EXPECT_EQ(check(fitted_on(random_matrix(5, 3, 2), 3), table),
            "x.vec: not the source vectors that the mapping was fitted on (en.vec, 3 words): words or values differ");
}

TEST(OriginCheck, WarnsOfTooFewWords) {
  const Matrix table = random_matrix(5, 3, 1);
  Mapping mapping = fitted_on(table, 4);
  mapping.provenance.source = {"en.vec", std::string(64, '0'), 10, 3};
  EXPECT_THAT(check(mapping, table).value_or(""), HasSubstr("4 words here"));
}

TEST(OriginCheck, SaysNothingWhereTheMappingDoesNotKnow) {
  const Matrix table = random_matrix(5, 3, 1);
  EXPECT_EQ(check(fitted_on(table, 3), table, Side::target), std::nullopt);
}

TEST(OriginCheck, KnowsTheOtherSide) {
  const Matrix table = random_matrix(5, 3, 1);
  Mapping mapping = fitted_on(table, 3);
  mapping.provenance.target = mapping.provenance.source;
  mapping.provenance.source.checksum = std::string(64, '0');
  EXPECT_THAT(check(mapping, table).value_or(""), HasSubstr(": they are its target vectors"));
}

}  // namespace
}  // namespace wordbridge::origin_check_test
