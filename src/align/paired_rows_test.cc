#include "align/paired_rows.h"

#include <gtest/gtest.h>

#include "wordbridge/error.h"

namespace wordbridge::paired_rows_test {
namespace {

WordVectors vectors(std::vector<std::string> words, std::vector<std::vector<float>> rows) {
  Matrix table(rows.size(), rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], table.row(i).begin());
  return {Vocabulary(words), std::move(table)};
}

TEST(PairedRows, GathersTheRowsOfEachPairInOrder) {
  const WordVectors source = vectors({"a", "b", "c"}, {{1, 2}, {3, 4}, {5, 6}});
  const WordVectors target = vectors({"x", "y"}, {{7, 8, 9}, {10, 11, 12}});
  const Lexicon lexicon({{2, 0}, {0, 1}, {2, 1}});
  const PairedRows rows = paired_rows({source, target, lexicon});
  ASSERT_EQ(rows.source.rows(), 3u);
  ASSERT_EQ(rows.target.cols(), 3u);
  EXPECT_EQ(rows.source(0, 1), 6);
  EXPECT_EQ(rows.source(1, 0), 1);
  EXPECT_EQ(rows.source(2, 0), 5);
  EXPECT_EQ(rows.target(0, 2), 9);
  EXPECT_EQ(rows.target(2, 0), 10);
}

TEST(PairedRows, WeighsBothRowsByTheSquareRoot) {
  const WordVectors source = vectors({"a", "b"}, {{1, 2}, {3, 4}});
  const PairedRows rows = paired_rows({source, source, Lexicon({{0, 1, 4}, {1, 1, 0.25}, {1, 0}})});
  EXPECT_EQ(rows.source(0, 1), 4);
  EXPECT_EQ(rows.target(0, 0), 6);
  EXPECT_EQ(rows.source(1, 0), 1.5f);
  EXPECT_EQ(rows.target(1, 1), 2);
  EXPECT_EQ(rows.source(2, 0), 3);
  EXPECT_EQ(rows.target(2, 1), 2);
}

TEST(PairedRows, RefusesAnEmptyLexicon) {
  const WordVectors source = vectors({"a"}, {{1}});
  EXPECT_THROW(paired_rows({source, source, Lexicon()}), UsageError);
}

}  // namespace
}  // namespace wordbridge::paired_rows_test
