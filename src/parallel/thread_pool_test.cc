#include "parallel/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace wordbridge::thread_pool_test {
namespace {

using Chunk = std::pair<std::size_t, std::size_t>;

std::set<Chunk> chunks_of(ThreadPool& pool, std::size_t count, std::size_t chunk) {
  std::set<Chunk> chunks;
  std::mutex mutex;
  pool.for_chunks(count, chunk, [&](std::size_t begin, std::size_t end, int) {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(chunks.emplace(begin, end).second) << "a chunk came twice";
  });
  return chunks;
}

TEST(ThreadPool, SizesAsAskedFor) {
  EXPECT_EQ(ThreadPool(1).size(), 1);
  EXPECT_EQ(ThreadPool(5).size(), 5);
  EXPECT_GE(ThreadPool(0).size(), 1);
  EXPECT_GE(ThreadPool(-3).size(), 1);
}

TEST(ThreadPool, ChunksCoverTheRangeWhateverTheThreads) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (const std::size_t count : {0, 1, 2, 7, 64, 65, 1000})
      for (const std::size_t chunk : {1, 3, 64, 5000}) {
        std::set<Chunk> expected;
        for (std::size_t begin = 0; begin < count; begin += chunk)
          expected.emplace(begin, std::min(begin + chunk, count));
        EXPECT_EQ(chunks_of(pool, count, chunk), expected) << threads << " " << count << " " << chunk;
      }
  }
}

TEST(ThreadPool, AChunkOfZeroCountsAsOne) {
  ThreadPool pool(2);
  EXPECT_EQ(chunks_of(pool, 3, 0), (std::set<Chunk>{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(ThreadPool, NoTwoCallsShareAWorkerAtOnce) {
  ThreadPool pool(4);
  std::vector<std::atomic<bool>> in_use(4);
  pool.for_chunks(2000, 1, [&](std::size_t, std::size_t, int worker) {
    ASSERT_GE(worker, 0);
    ASSERT_LT(worker, 4);
    EXPECT_FALSE(in_use[static_cast<std::size_t>(worker)].exchange(true));
    std::this_thread::yield();
    in_use[static_cast<std::size_t>(worker)] = false;
  });
}

TEST(ThreadPool, AllThreadsWork) {
  // Three chunks that wait for each other end only if three threads run them.
  ThreadPool pool(3);
  std::atomic<int> arrived{0};
  pool.for_chunks(3, 1, [&](std::size_t, std::size_t, int) {
    ++arrived;
    while (arrived < 3) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 3);
}

TEST(ThreadPool, ManyShortJobsOneAfterAnother) {
  // Workers that wake late meet the next job, or none; either way each index is done once, in its own job.
  ThreadPool pool(4);
  for (std::size_t job = 0; job < 3000; ++job) {
    std::vector<std::size_t> done(5, 0);
    pool.for_chunks(done.size(), 1, [&](std::size_t begin, std::size_t, int) { done[begin] += job + 1; });
    for (const std::size_t value : done) ASSERT_EQ(value, job + 1);
  }
}

TEST(ThreadPool, TheLowestFailingChunkIsReportedWhateverTheThreads) {
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 200; ++round) {
      std::string message;
      try {
        pool.for_chunks(100, 1, [](std::size_t begin, std::size_t, int) {
          if (begin == 5) std::this_thread::yield();
          if (begin % 7 == 5) throw std::runtime_error("chunk " + std::to_string(begin));
        });
      } catch (const std::runtime_error& error) {
        message = error.what();
      }
      ASSERT_EQ(message, "chunk 5") << threads;
    }
  }
}

TEST(ThreadPool, AnErrorStopsTheRest) {
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    std::atomic<int> calls{0};
    EXPECT_THROW(pool.for_chunks(1'000'000, 1,
                                 [&](std::size_t, std::size_t, int) {
                                   ++calls;
                                   throw std::logic_error("no");
                                 }),
                 std::logic_error);
    EXPECT_LE(calls, threads);
    // And the pool goes on.
    std::atomic<std::size_t> sum{0};
    pool.for_chunks(100, 9, [&](std::size_t begin, std::size_t end, int) { sum += end - begin; });
    EXPECT_EQ(sum, 100u);
  }
}

TEST(ThreadPool, ACallFromInsideABodyRunsOnThatThread) {
  ThreadPool pool(3), other(2);
  std::atomic<int> inner_calls{0};
  pool.for_chunks(12, 1, [&](std::size_t, std::size_t, int) {
    const std::thread::id here = std::this_thread::get_id();
    for (ThreadPool* inner : {&pool, &other})
      inner->for_chunks(10, 2, [&](std::size_t, std::size_t, int worker) {
        EXPECT_EQ(worker, 0);
        EXPECT_EQ(std::this_thread::get_id(), here);
        ++inner_calls;
      });
  });
  EXPECT_EQ(inner_calls, 12 * 2 * 5);
  // Afterwards the calling thread is outside again and shares its work out.
  std::atomic<int> arrived{0};
  pool.for_chunks(2, 1, [&](std::size_t, std::size_t, int) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
}

TEST(ThreadPool, AnErrorFromInsideAnInnerCallComesOut) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.for_chunks(4, 1,
                               [&](std::size_t, std::size_t, int) {
                                 pool.for_chunks(3, 1, [](std::size_t begin, std::size_t, int) {
                                   if (begin == 2) throw std::out_of_range("inner");
                                 });
                               }),
               std::out_of_range);
}

TEST(ThreadPool, SeveralThreadsMayCallAtOnce) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::vector<std::size_t> sums(4, 0);
  for (std::size_t caller = 0; caller < sums.size(); ++caller)
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 100; ++round) {
        std::atomic<std::size_t> sum{0};
        pool.for_chunks(50, 7, [&](std::size_t begin, std::size_t end, int) {
          for (std::size_t i = begin; i < end; ++i) sum += i;
        });
        sums[caller] += sum;
      }
    });
  for (std::thread& caller : callers) caller.join();
  for (const std::size_t sum : sums) EXPECT_EQ(sum, 100u * (49 * 50 / 2));
}

TEST(ThreadPool, PoolsComeAndGo) {
  for (int i = 0; i < 50; ++i) {
    ThreadPool idle(4);
    ThreadPool pool(4);
    std::atomic<int> calls{0};
    pool.for_chunks(8, 1, [&](std::size_t, std::size_t, int) { ++calls; });
    EXPECT_EQ(calls, 8);
  }
}

}  // namespace
}  // namespace wordbridge::thread_pool_test
