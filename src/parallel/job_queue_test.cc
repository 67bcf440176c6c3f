#include "parallel/job_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>

#include "parallel/thread_pool.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::job_queue_test {

using testing::Each;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

TEST(JobQueue, RunsEveryJobOnceAndTellsOfItOnTheCallingThread) {
  Context context({.threads = 3, .seed = 7});
  const Context::Scope scope(context);
  std::vector<int> runs(20, 0);
  std::vector<std::uint64_t> seeds(20);
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < runs.size(); ++i)
    jobs.push_back({i % 5, [&, i] {
                      ++runs[i];
                      seeds[i] = Context::current().seed();
                    }});
  std::size_t told = 0;
  const auto caller = std::this_thread::get_id();
  run_jobs(jobs, {}, [&](std::size_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    ++told;
  });
  EXPECT_THAT(runs, Each(1));
  EXPECT_THAT(seeds, Each(7));
  EXPECT_EQ(told, runs.size());
}

TEST(JobQueue, OneAtATimeTheLargestFirst) {
  std::vector<int> order;
  std::vector<Job> jobs;
  for (const int bytes : {3, 9, 1, 9})
    jobs.push_back({static_cast<std::uint64_t>(bytes),
                    [&order, index = static_cast<int>(jobs.size())] { order.push_back(index); }});
  run_jobs(jobs, {.at_once = 1});
  EXPECT_THAT(order, ElementsAre(1, 3, 0, 2));
}

TEST(JobQueue, StaysWithinTheMemory) {
  Context context({.threads = 8});
  const Context::Scope scope(context);
  std::mutex mutex;
  std::uint64_t now = 0, most = 0;
  std::vector<Job> jobs;
  for (std::uint64_t i = 0; i < 30; ++i) {
    const std::uint64_t bytes = 1 + i % 7;
    jobs.push_back({bytes, [&, bytes] {
                      {
                        const std::lock_guard lock(mutex);
                        now += bytes;
                        most = std::max(most, now);
                      }
                      std::this_thread::yield();
                      const std::lock_guard lock(mutex);
                      now -= bytes;
                    }});
  }
  run_jobs(jobs, {.at_once = 8, .bytes = 10});
  EXPECT_LE(most, 10u);
  EXPECT_EQ(now, 0u);
}

TEST(JobQueue, AJobThatIsTooLargeRunsAlone) {
  std::atomic<int> now = 0, most = 0;
  const auto count = [&] {
    const int here = ++now;
    for (int seen = most; seen < here && !most.compare_exchange_weak(seen, here);) continue;
    --now;
  };
  run_jobs({{100, count}, {100, count}, {100, count}}, {.at_once = 3, .bytes = 10});
  EXPECT_EQ(most, 1);
}

TEST(JobQueue, ThrowsWhatTheFirstFailedJobThrew) {
  std::vector<Job> jobs;
  for (int i = 0; i < 4; ++i)
    jobs.push_back({0, [i] {
                      if (i >= 1) throw std::runtime_error(std::to_string(i));
                    }});
  try {
    run_jobs(jobs, {.at_once = 1});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "1");
  }
}

TEST(JobQueue, CancellingReachesTheJobs) {
  Context context({.threads = 2});
  const Context::Scope scope(context);
  std::atomic<int> ended = 0;
  const auto endless = [&] {
    context.cancel();
    try {
      for (;;) Context::poll();
    } catch (const Cancelled&) {
      ++ended;
      throw;
    }
  };
  EXPECT_THROW(run_jobs({{0, endless}, {0, endless}}), Cancelled);
  EXPECT_GE(ended, 1);
}

TEST(JobQueue, JobsThatOthersDoAreLeftOut) {
  std::vector<int> runs(6, 0);
  std::vector<Job> jobs;
  for (int& run : runs) jobs.push_back({0, [&run] { ++run; }});
  std::vector<std::size_t> asked;
  run_jobs(jobs, {.at_once = 1, .claim = [&](std::size_t job) {
                    asked.push_back(job);
                    return job % 2 == 0;
                  }});
  EXPECT_THAT(runs, ElementsAre(1, 0, 1, 0, 1, 0));
  EXPECT_THAT(asked, ElementsAre(0, 1, 2, 3, 4, 5));
  run_jobs(jobs, {.claim = [](std::size_t) { return false; }});
  EXPECT_THAT(runs, ElementsAre(1, 0, 1, 0, 1, 0));
}

TEST(JobQueue, NothingToDo) { EXPECT_NO_THROW(run_jobs({})); }

}  // namespace wordbridge::job_queue_test
