#include "space/lazy_rows.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "linalg/rows.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::lazy_rows_test {
namespace {

constexpr std::size_t kRows = 9 * kProductRows + 17;

/// Rows under a map, and how often a block of them was made.
struct Case {
  Case(std::size_t from, std::size_t to) : raw(random_matrix(kRows, from, 1)), map(random_matrix(to, from, 2)) {
    expected = multiply_abt(raw, map);
    normalize_rows(expected);
  }
  LazyRows::Bring bring() {
    return [this](Matrix block) {
      ++made;
      Matrix mapped = multiply_abt(block, map);
      normalize_rows(mapped);
      return mapped;
    };
  }
  LazyRows rows() { return LazyRows(raw, map.rows(), bring()); }

  Matrix raw, map, expected;
  std::atomic<int> made = 0;
};

TEST(LazyRowsTest, AFewRowsAreThoseOfAllBitForBit) {
  for (const std::size_t from : {5, 7}) {
    Case tables(from, 5);
    const LazyRows rows = tables.rows();
    EXPECT_EQ(rows.size(), kRows);
    EXPECT_EQ(rows.dimension(), 5u);
    const std::vector<WordId> words = {3, kRows - 1, 0, 3};
    EXPECT_EQ(rows.some(words), gather_rows(tables.expected, words));
    EXPECT_EQ(tables.made, 2);  // two blocks hold them
    EXPECT_EQ(rows.some({}).rows(), 0u);
    EXPECT_EQ(Matrix::copy_of(rows.all().rows()), tables.expected);
    EXPECT_EQ(rows.some(words), gather_rows(tables.expected, words));
    EXPECT_EQ(tables.made, 2 + 10);  // all once, and none afterwards
  }
}

TEST(LazyRowsTest, AllAreMadeWhereThatIsLessWork) {
  Case tables(5, 5);
  const LazyRows rows = tables.rows();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(rows.some(std::vector<WordId>{1}).rows(), 1u);
  EXPECT_LE(tables.made, 5 + 10);
}

TEST(LazyRowsTest, WhatEndsEarlyLosesNothing) {
  for (const std::size_t from : {5, 7}) {
    Case tables(from, 5);
    std::atomic<int> left = 4;
    const LazyRows rows(tables.raw, 5, [&, bring = tables.bring()](Matrix block) {
      if (left-- == 0) throw std::runtime_error("enough");
      return bring(std::move(block));
    });
    EXPECT_THROW(rows.all(), std::runtime_error);
    const std::vector<WordId> words = {0, kRows - 1};
    EXPECT_EQ(rows.some(words), gather_rows(tables.expected, words));
    EXPECT_EQ(Matrix::copy_of(rows.all().rows()), tables.expected);
  }
}

TEST(LazyRowsTest, RowsThatDoNotComeToLengthOneAreRefusedEveryTime) {
  const LazyRows rows(random_matrix(10, 3, 1), 3, [](Matrix block) { return block; });
  EXPECT_THROW(rows.all(), UsageError);
  EXPECT_THROW(rows.all(), UsageError);
}

TEST(LazyRowsTest, ManyThreadsMayAsk) {
  Case tables(5, 5);
  const LazyRows rows = tables.rows();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const std::vector<WordId> words = {static_cast<WordId>(t * 2000)};
      wrong += rows.some(words) != gather_rows(tables.expected, words);
      if (t % 2 == 0) wrong += Matrix::copy_of(rows.all().rows()) != tables.expected;
      wrong += rows.some(words) != gather_rows(tables.expected, words);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace wordbridge::lazy_rows_test
