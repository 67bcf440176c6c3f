#include "parallel/communicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <vector>

#include "base/random.h"
#include "parallel/communicator_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::communicator_test {

using testing::Each;
using testing::ElementsAre;

/// What `work` gives on each rank; one rank is the local communicator, too.
template <class T>
std::vector<T> on_ranks(int size, const std::function<T(Communicator&)>& work) {
  std::vector<T> results(static_cast<std::size_t>(size));
  run_ranks(size, [&](Communicator& communicator) {
    results[static_cast<std::size_t>(communicator.rank())] = work(communicator);
  });
  if (size == 1) {
    LocalCommunicator local;
    results.push_back(work(local));
  }
  return results;
}

class CommunicatorTest : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, CommunicatorTest, testing::Values(1, 2, 3, 4));

TEST_P(CommunicatorTest, EverybodyGetsWhatTheRootGives) {
  for (int root = 0; root < GetParam(); ++root)
    EXPECT_THAT(on_ranks<std::string>(GetParam(),
                                      [&](Communicator& communicator) {
                                        return communicator.broadcast(
                                            std::string(100, static_cast<char>('a' + communicator.rank())), root);
                                      }),
                Each(std::string(100, static_cast<char>('a' + root))));
}

TEST_P(CommunicatorTest, EverybodyGetsWhatEachGives) {
  std::vector<std::string> expected;
  for (int rank = 0; rank < GetParam(); ++rank) expected.emplace_back(static_cast<std::size_t>(rank), 'x');
  EXPECT_THAT(on_ranks<std::vector<std::string>>(GetParam(),
                                                 [&](Communicator& communicator) {
                                                   return communicator.all_gather(
                                                       std::string(static_cast<std::size_t>(communicator.rank()), 'x'));
                                                 }),
              Each(expected));
}

TEST_P(CommunicatorTest, SumsHaveTheSameBitsForAnyNumberOfRanks) {
  constexpr std::size_t kChunks = 17, kSize = 50;
  Random random(3);
  std::vector<Communicator::Chunk> chunks;
  std::vector<double> expected(kSize, 0);
  for (std::size_t number = 0; number < kChunks; ++number) {
    chunks.push_back({number, {}});
    for (std::size_t i = 0; i < kSize; ++i) {
      chunks.back().sums.push_back(random.normal() * (number % 3 == 0 ? 1e9 : 1e-3));
      expected[i] += chunks.back().sums.back();
    }
  }
  EXPECT_THAT(
      on_ranks<std::vector<double>>(GetParam(),
                                    [&](Communicator& communicator) {
                                      std::vector<Communicator::Chunk> own;  // in any order
                                      for (std::size_t i = kChunks; i-- > 0;)
                                        if (static_cast<int>(i * 7 % 5) % communicator.size() == communicator.rank())
                                          own.push_back(chunks[i]);
                                      return communicator.sum_in_order(own);
                                    }),
      Each(expected));
}

TEST(Communicator, ChunksThatAreNotOneOfEachAreRefused) {
  LocalCommunicator local;
  const std::vector<Communicator::Chunk> twice = {{0, {1}}, {0, {1}}}, missing = {{0, {1}}, {2, {1}}},
                                         sizes = {{0, {1}}, {1, {1, 2}}};
  for (const auto& chunks : {twice, missing, sizes}) EXPECT_THROW(local.sum_in_order(chunks), UsageError);
  EXPECT_TRUE(local.sum_in_order({}).empty());
}

TEST(RowShards, EveryRowHasOneOwnerAndOnePlace) {
  for (int size = 1; size <= 4; ++size)
    for (const std::size_t rows :
         {std::size_t{0}, std::size_t{1}, kShardRows, 2 * kShardRows + 1, 7 * kShardRows - 5}) {
      std::vector<std::size_t> next(static_cast<std::size_t>(size), 0);
      for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t owner = RowShards(0, size).owner(row);
        ASSERT_EQ(RowShards(0, size).place(row), next[owner]++);
        for (int rank = 0; rank < size; ++rank) {
          const RowShards shards(rank, size);
          ASSERT_EQ(shards.owns(row), owner == static_cast<std::size_t>(rank));
          ASSERT_TRUE(!shards.owns(row) || shards.number(shards.place(row)) == row);
        }
      }
      for (int rank = 0; rank < size; ++rank)
        EXPECT_EQ(RowShards(rank, size).own_of(rows), next[static_cast<std::size_t>(rank)]);
    }
}

}  // namespace wordbridge::communicator_test
