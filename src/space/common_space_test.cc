#include "wordbridge/common_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <utility>

#include "linalg/random_matrix_test_support.h"
#include "space/common_space_state.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::common_space_test {
namespace {

WordVectors numbered(const std::string& prefix, Matrix table) {
  Vocabulary words;
  for (std::size_t i = 0; i < table.rows(); ++i) words.add(prefix + std::to_string(i));
  return WordVectors(std::move(words), std::move(table));
}

Mapping some_mapping() {
  Mapping mapping(random_matrix(4, 5, 1), Normalizer(), Normalizer(), random_matrix(4, 3, 2));
  mapping.provenance.criterion = "nn";
  return mapping;
}

TEST(CommonSpace, MapsBothSidesAndMakesThemUnit) {
  const WordVectors source = numbered("s", random_matrix(20, 5, 3)), target = numbered("t", random_matrix(30, 3, 4));
  const Mapping mapping = some_mapping();
  const CommonSpace space(mapping, source, target);
  EXPECT_EQ(space.dimension(), 4u);
  EXPECT_EQ(space.size(Side::source), 20u);
  EXPECT_EQ(space.size(Side::target), 30u);
  EXPECT_EQ(space.vocabulary(Side::target)[29], "t29");
  EXPECT_EQ(space.criterion(), "nn");
  EXPECT_EQ(Matrix::copy_of(space.table(Side::source)), mapping.apply(source.table(), Side::source, true));
  EXPECT_EQ(Matrix::copy_of(space.table(Side::target)), mapping.apply(target.table(), Side::target, true));
}

TEST(CommonSpace, VectorsThatShareASpace) {
  Matrix expected = random_matrix(6, 5, 3);
  const CommonSpace space(numbered("s", expected), numbered("t", random_matrix(7, 5, 4)));
  normalize_rows(expected);
  EXPECT_EQ(Matrix::copy_of(space.table(Side::source)), expected);
  EXPECT_EQ(space.criterion(), "csls");
  EXPECT_THROW(CommonSpace(numbered("s", Matrix(2, 3)), numbered("t", Matrix(2, 4))), UsageError);
}

TEST(CommonSpace, OneLanguageAlone) {
  const WordVectors words = numbered("t", random_matrix(6, 3, 3));
  const Mapping mapping = some_mapping();
  const CommonSpace mapped = CommonSpace::of_one(mapping, words, Side::target), plain = CommonSpace::of_one(words);
  EXPECT_EQ(Matrix::copy_of(mapped.table(Side::source)), mapping.apply(words.table(), Side::target, true));
  EXPECT_EQ(mapped.size(Side::target), 0u);
  EXPECT_EQ(plain.dimension(), 3u);
  EXPECT_EQ(plain.vocabulary(Side::source)[2], "t2");
}

TEST(CommonSpace, SubwordVectorsAreOfLengthOneToo) {
  WordVectors words = numbered("s", random_matrix(2, 2, 1));
  words.set_subword_model([](std::string_view word) -> std::optional<std::vector<float>> {
    if (word == "none") return std::nullopt;
    return std::vector<float>{3, 4};
  });
  const CommonSpace space = CommonSpace::of_one(std::move(words));
  EXPECT_THAT(space.subword_vector("any", Side::source), testing::Optional(testing::ElementsAre(0.6f, 0.8f)));
  EXPECT_FALSE(space.subword_vector("none", Side::source));
  EXPECT_FALSE(space.subword_vector("any", Side::target));
}

TEST(CommonSpace, CopiesShareEverything) {
  const CommonSpace space(numbered("s", random_matrix(6, 5, 3)), numbered("t", random_matrix(7, 5, 4)));
  const CommonSpace copy = space;
  EXPECT_EQ(copy.table(Side::source).data(), space.table(Side::source).data());
  EXPECT_EQ(&copy.state().csls(3), &space.state().csls(3));
  EXPECT_NE(&copy.state().csls(3), &space.state().csls(4));
}

TEST(CommonSpace, SharedThingsAreMadeOnce) {
  const CommonSpace space(numbered("s", random_matrix(6, 5, 3)), numbered("t", random_matrix(7, 5, 4)));
  std::atomic<int> made = 0;
  const auto ask = [&] {
    return *space.state().shared<int>("number", [&] {
      ++made;
      return std::make_shared<int>(5);
    });
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([&] { EXPECT_EQ(ask(), 5); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
}

TEST(CommonSpace, WhatCouldNotBeMadeIsTriedAgain) {
  const CommonSpace space(numbered("s", random_matrix(6, 5, 3)), numbered("t", random_matrix(7, 5, 4)));
  const auto fail = [&] { space.state().shared<int>("number", []() -> std::shared_ptr<int> { throw Cancelled(); }); };
  EXPECT_THROW(fail(), Cancelled);
  EXPECT_EQ(*space.state().shared<int>("number", [] { return std::make_shared<int>(7); }), 7);
}

}  // namespace
}  // namespace wordbridge::common_space_test
