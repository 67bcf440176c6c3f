#include "mapping/matrix_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"
#include "wordbridge/version.h"

namespace wordbridge::matrix_import_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

struct MatrixImportTest : ::testing::Test {
  TemporaryFolder folder;
  // W is 3 x 2: (1, 10) goes to (21, 43, 65).
  std::string matrix = folder.write("W.txt", "3 2\n1 2\n3 4\n5 6\n");
  std::string other = folder.write("V.txt", "3 1\n1\n2\n3\n");
  std::string source = folder.write("en.vec", "2 2\na 1 10\nb 3 2\n");
  std::string target = folder.write("es.vec", "2 3\nc 1 0 0\nd 3 0 4\n");
};

std::vector<float> mapped(const Mapping& mapping, std::vector<float> row, Side side) {
  Matrix rows(1, row.size());
  std::copy(row.begin(), row.end(), rows.row(0).begin());
  const Matrix result = mapping.apply(std::move(rows), side, false);
  return {result.elements().begin(), result.elements().end()};
}

TEST_F(MatrixImportTest, OneSide) {
  const Mapping mapping = MatrixImport({.matrix = matrix, .normalization = "none"}).finish();
  EXPECT_THAT(mapped(mapping, {1, 10}, Side::source), ElementsAre(21, 43, 65));
  EXPECT_THAT(mapped(mapping, {1, 2, 3}, Side::target), ElementsAre(1, 2, 3));
  const Provenance& provenance = mapping.provenance;
  EXPECT_EQ(provenance.method, "import");
  EXPECT_EQ(provenance.version, version());
  EXPECT_EQ(provenance.criterion, "csls");
  EXPECT_THAT(provenance.options, ElementsAre(Pair("matrix", matrix), Pair("normalization", "none")));
  EXPECT_EQ(provenance.source.words, 0);
}

TEST_F(MatrixImportTest, BothSidesAndTheOtherOrientation) {
  folder.write("W.txt", "2 3\n1 3 5\n2 4 6\n");
  folder.write("V.txt", "1 3\n1 2 3\n");
  const Mapping mapping =
      MatrixImport({.matrix = matrix, .target_matrix = other, .layout = {.transpose = true}, .normalization = "none"})
          .finish();
  EXPECT_THAT(mapped(mapping, {1, 10}, Side::source), ElementsAre(21, 43, 65));
  EXPECT_THAT(mapped(mapping, {2}, Side::target), ElementsAre(2, 4, 6));
  EXPECT_EQ(mapping.provenance.options.at("target_matrix"), other);
}

TEST_F(MatrixImportTest, MeansComeFromTheVectors) {
  MatrixImport import({.matrix = matrix, .normalization = "center"});
  import.fit(read_vectors(source), Side::source);
  import.fit(read_vectors(target), Side::target);
  const Mapping mapping = std::move(import).finish();
  // (2, 6) is the mean of the source, (2, 0, 2) that of the target.
  EXPECT_THAT(mapped(mapping, {3, 16}, Side::source), ElementsAre(21, 43, 65));
  EXPECT_THAT(mapped(mapping, {2, 1, 2}, Side::target), ElementsAre(0, 1, 0));
  EXPECT_EQ(mapping.provenance.source.name, source);
  EXPECT_EQ(mapping.provenance.source.words, 2);
  EXPECT_FALSE(mapping.mismatch(read_vectors(source), Side::source));
  EXPECT_TRUE(mapping.mismatch(read_vectors(target), Side::source));
}

TEST_F(MatrixImportTest, OneSideMayBeKnownAlone) {
  MatrixImport import({.matrix = matrix});
  import.fit(read_vectors(target), Side::target);
  const Mapping mapping = std::move(import).finish();
  EXPECT_EQ(mapping.normalizer(Side::source).name(), "unit");
  EXPECT_EQ(mapping.normalizer(Side::target).name(), "unit");
  EXPECT_EQ(mapping.provenance.source.name, "");
  EXPECT_EQ(mapping.provenance.target.name, target);
}

TEST_F(MatrixImportTest, WhatDoesNotFit) {
  folder.write("V.txt", "2 1\n1\n2\n");
  EXPECT_THROW(MatrixImport({.matrix = matrix, .target_matrix = other}), UsageError);
  EXPECT_THROW(MatrixImport({.matrix = matrix, .normalization = "fold"}), UsageError);
  EXPECT_THROW(MatrixImport({.matrix = folder.path("nothing")}), IoError);
  EXPECT_THROW(MatrixImport({.matrix = folder.write("bad.txt", "2 2\n1 2\n3 x\n")}), InputError);
  MatrixImport import({.matrix = matrix, .normalization = "unit,center"});
  EXPECT_THROW(import.fit(read_vectors(target), Side::source), UsageError);
  EXPECT_THROW(import.require_dimension(3, Side::source, "x.vec"), UsageError);
  import.fit(read_vectors(source), Side::source);
  EXPECT_THROW(std::move(import).finish(), UsageError);
}

TEST_F(MatrixImportTest, OptionsByName) {
  MatrixImportOptions options;
  const auto list = matrix_import_options();
  EXPECT_THAT(list.names(), ElementsAre("target-matrix", "header", "transpose", "normalize"));
  list.set(options, "header", "no");
  list.set(options, "transpose", true);
  list.set(options, "target-matrix", "V.txt");
  list.set(options, "normalize", "none");
  EXPECT_EQ(options.layout.header, PlainMatrixLayout::Header::absent);
  EXPECT_TRUE(options.layout.transpose);
  EXPECT_EQ(options.target_matrix, "V.txt");
  EXPECT_EQ(options.normalization, "none");
  EXPECT_THROW(list.set(options, "header", "perhaps"), UsageError);
}

TEST(NeedsVectors, WhereItCenters) {
  EXPECT_TRUE(needs_vectors("unit,center,unit"));
  EXPECT_FALSE(needs_vectors("unit"));
  EXPECT_FALSE(needs_vectors("none"));
  EXPECT_THROW(needs_vectors("centre"), UsageError);
}

}  // namespace
}  // namespace wordbridge::matrix_import_test
