#include "search/search_tasks.h"

#include <gmock/gmock.h>

#include <atomic>

#include "parallel/thread_pool.h"
#include "parallel/threads_test_support.h"
#include "search/search_cases_test_support.h"

namespace wordbridge::search_tasks_test {
namespace {

/// Any numbers with many ties will do for scores.
float score_of(std::size_t query, std::size_t unit) { return static_cast<float>((query * 7 + unit * 13) % 101); }

/// The answer by one list a query.
Neighbors plain(const SearchCut& cut, std::size_t found) {
  Neighbors result;
  result.queries = cut.queries;
  result.found = found;
  for (std::size_t query = 0; query < cut.queries; ++query) {
    TopK<float> best(found);
    for (std::size_t unit = 0; unit < cut.units; ++unit)
      best.offer(score_of(query, unit), static_cast<std::uint32_t>(unit));
    for (const ScoredRow& row : best.take_sorted()) {
      result.ids.push_back(row.id);
      result.scores.push_back(row.score);
    }
  }
  return result;
}

/// Searches with one row a unit, and counts how often each pair is visited.
Neighbors run(const SearchCut& cut, std::size_t found, std::vector<std::atomic<int>>& visits) {
  return run_search_tasks(cut, found, [&](const SearchTask& task, std::span<TopK<float>> best) {
    EXPECT_EQ(best.size(), task.query_end - task.query_begin);
    EXPECT_LE(best.size(), cut.query_block);
    EXPECT_TRUE(0 <= task.worker && task.worker < ThreadPool::current().size());
    for (std::size_t query = task.query_begin; query < task.query_end; ++query)
      for (std::size_t unit = task.unit_begin; unit < task.unit_end; ++unit) {
        best[query - task.query_begin].offer(score_of(query, unit), static_cast<std::uint32_t>(unit));
        ++visits[query * cut.units + unit];
      }
  });
}

TEST(SearchTasks, EveryPairOnceAndTheSameAnswerForAnyCut) {
  for (const int threads : {1, 2, 5}) {
    const WithThreads scope(threads);
    for (const std::size_t queries : {1, 3, 64, 200})
      for (const std::size_t units : {1, 5, 300})
        for (const std::size_t least_units : {1, 64}) {
          const SearchCut cut{queries, units, 48, 16, least_units};
          for (const std::size_t found : {std::size_t{1}, std::min<std::size_t>(10, units), units}) {
            std::vector<std::atomic<int>> visits(queries * units);
            EXPECT_EQ(difference(plain(cut, found), run(cut, found, visits)), "")
                << threads << " threads, " << queries << " x " << units << ", " << found;
            for (const auto& count : visits) ASSERT_EQ(count, 1);
          }
        }
  }
}

TEST(SearchTasks, FewQueriesAreCutByRows) {
  const WithThreads two_threads(2);
  std::atomic<int> tasks = 0;
  run_search_tasks({1, 1000, 48, 16, 8}, 3, [&](const SearchTask& task, std::span<TopK<float>> best) {
    ++tasks;
    for (std::size_t unit = task.unit_begin; unit < task.unit_end; ++unit)
      best[0].offer(score_of(0, unit), static_cast<std::uint32_t>(unit));
  });
  EXPECT_GT(tasks, 1);
}

/// Five blocks of 400 would keep one of two threads waiting.
TEST(SearchTasks, AllThreadsHaveAsMuchToDo) {
  const WithThreads two_threads(2);
  std::atomic<int> tasks = 0;
  run_search_tasks({2000, 10, 400, 400, 10}, 1, [&](const SearchTask& task, std::span<TopK<float>> best) {
    ++tasks;
    EXPECT_GE(task.query_end - task.query_begin, 330u);
    for (TopK<float>& list : best) list.offer(0, 0);
  });
  EXPECT_EQ(tasks, 6);
}

TEST(SearchTasks, NothingToDo) {
  const auto never = [](const SearchTask&, std::span<TopK<float>>) { FAIL(); };
  EXPECT_EQ(run_search_tasks({0, 10, 48, 16, 1}, 3, never).queries, 0u);
  const Neighbors none = run_search_tasks({7, 10, 48, 16, 1}, 0, never);
  EXPECT_EQ(none.queries, 7u);
  EXPECT_EQ(none.found, 0u);
  EXPECT_TRUE(none.ids.empty());
}

}  // namespace
}  // namespace wordbridge::search_tasks_test
