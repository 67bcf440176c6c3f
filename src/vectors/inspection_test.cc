#include "vectors/inspection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linalg/random_matrix_test_support.h"

namespace wordbridge::inspection_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

WordVectors vectors(std::vector<std::string> words, std::vector<float> values) {
  const std::size_t cols = values.size() / words.size();
  return WordVectors(Vocabulary(words), Matrix::copy_of({values.data(), words.size(), cols}));
}

WordVectors numbered(Matrix table) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < table.rows(); ++i) words.push_back("w" + std::to_string(i));
  return WordVectors(Vocabulary(words), std::move(table));
}

TEST(Inspection, KnownAnswer) {
  // Lengths 5, 0, 10, 5, 20.
  const Inspection result = inspect_vectors(
      vectors({"the", "Zero", "USA", "1990", "the2"}, {3, 4, 0, 0, 6, 8, 3, 4, 16, 12}), {.examples = 2});
  EXPECT_EQ(result.words, 5u);
  EXPECT_EQ(result.dimension, 2u);
  EXPECT_THAT(result.first_words, ElementsAre("the", "Zero"));
  EXPECT_EQ(result.norms.min, 5);
  EXPECT_EQ(result.norms.max, 20);
  EXPECT_EQ(result.norms.mean, 10);
  EXPECT_EQ(result.norms.median(), 5);  // nearest rank of 5 5 10 20
  EXPECT_EQ(result.norms.quantiles.back(), 20);
  EXPECT_EQ(result.zero_rows.count, 1u);
  EXPECT_THAT(result.zero_rows.examples, ElementsAre("Zero"));
  EXPECT_EQ(result.duplicate_rows.count, 1u);
  EXPECT_THAT(result.duplicate_rows.examples, ElementsAre("1990 = the"));
  EXPECT_EQ(result.constant_coordinates.count, 0u);
  EXPECT_TRUE(result.suspicious());
  EXPECT_EQ(result.of_case(LetterCase::lower), 2u);
  EXPECT_EQ(result.of_case(LetterCase::title), 1u);
  EXPECT_EQ(result.of_case(LetterCase::upper), 1u);
  EXPECT_EQ(result.of_case(LetterCase::no_letters), 1u);
}

TEST(Inspection, CosineOfRandomPairs) {
  const Inspection opposite = inspect_vectors(vectors({"a", "b", "zero"}, {1, 2, -2, -4, 0, 0}), {.random_pairs = 50});
  EXPECT_NEAR(opposite.mean_cosine, -1, 1e-12);
  EXPECT_NEAR(opposite.deviation_of_cosine, 0, 1e-6);
  EXPECT_EQ(opposite.random_pairs, 50u);
  // Directions of a sphere: mean 0, deviation 1 / sqrt(d).
  const Inspection sphere = inspect_vectors(numbered(random_unit_rows(2000, 25, 1)));
  EXPECT_NEAR(sphere.mean_cosine, 0, 0.01);
  EXPECT_NEAR(sphere.deviation_of_cosine, 0.2, 0.01);
  // A dominant direction: (n + e) / |n + e| with n normal and e of length 5: about 25 / (25 + 25).
  Matrix moved = random_matrix(2000, 25, 2);
  for (std::size_t i = 0; i < moved.rows(); ++i) moved(i, 0) += 5;
  EXPECT_NEAR(inspect_vectors(numbered(moved)).mean_cosine, 0.5, 0.03);
}

TEST(Inspection, SeedDecides) {
  const WordVectors table = numbered(random_unit_rows(200, 5, 1));
  const auto mean = [&](std::uint64_t seed) { return inspect_vectors(table, {.seed = seed}).mean_cosine; };
  EXPECT_EQ(mean(1), mean(1));
  EXPECT_NE(mean(1), mean(2));
}

TEST(Inspection, FarNorms) {
  Matrix table = random_unit_rows(1000, 10, 1);
  EXPECT_EQ(inspect_vectors(numbered(table)).far_norms.count, 0u);
  for (std::size_t j = 0; j < 10; ++j) {
    table(17, j) *= 1000;
    table(400, j) *= 0.001f;
    table(5, j) *= 1.5f;  // far from the others, which are all alike, but not worth a word
  }
  const Inspection result = inspect_vectors(numbered(table));
  EXPECT_EQ(result.far_norms.count, 2u);
  EXPECT_THAT(result.far_norms.examples, ElementsAre("w17 (1000)", "w400 (0.001)"));
}

// Lengths that fall with the rank over two orders of magnitude, as in real files, are no reason to worry.
TEST(Inspection, WideSpreadOfNormsIsUsual) {
  Matrix table = random_unit_rows(1000, 10, 1);
  for (std::size_t i = 0; i < table.rows(); ++i)
    for (float& value : table.row(i)) value *= static_cast<float>(std::pow(100.0, static_cast<double>(i) / 1000));
  EXPECT_EQ(inspect_vectors(numbered(table)).far_norms.count, 0u);
}

TEST(Inspection, ConstantCoordinates) {
  Matrix table = random_unit_rows(50, 4, 1);
  for (std::size_t i = 0; i < 50; ++i) table(i, 2) = 0.25f;
  for (float& value : table.row(7)) value = 0;  // a zero row does not count
  const Inspection result = inspect_vectors(numbered(table));
  EXPECT_EQ(result.constant_coordinates.count, 1u);
  EXPECT_THAT(result.constant_coordinates.examples, ElementsAre("coordinate 2 = 0.25"));
  EXPECT_EQ(inspect_vectors(vectors({"one"}, {1, 2})).constant_coordinates.count, 0u);
}

TEST(Inspection, DuplicatesAreCountedAllExamplesAreFew) {
  Matrix table(40, 3);
  for (std::size_t i = 0; i < 40; ++i) table(i, i % 2) = 1;
  const Inspection result = inspect_vectors(numbered(table), {.examples = 3});
  EXPECT_EQ(result.duplicate_rows.count, 38u);
  EXPECT_THAT(result.duplicate_rows.examples, ElementsAre("w2 = w0", "w3 = w1", "w4 = w0"));
}

TEST(Inspection, NothingToLookAt) {
  const Inspection empty = inspect_vectors(WordVectors());
  EXPECT_EQ(empty.words, 0u);
  EXPECT_FALSE(empty.suspicious());
  EXPECT_THAT(empty.first_words, IsEmpty());
  const Inspection zeros = inspect_vectors(numbered(Matrix(3, 2)));
  EXPECT_EQ(zeros.zero_rows.count, 3u);
  EXPECT_EQ(zeros.norms.max, 0);
  EXPECT_EQ(zeros.random_pairs, 0u);
}

}  // namespace
}  // namespace wordbridge::inspection_test
