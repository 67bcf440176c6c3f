#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>
#include <vector>

#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"

namespace wordbridge::blas_memory_test {
namespace {

/// Addresses in use, in bytes.
std::size_t address_space() {
  std::size_t pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file != nullptr) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// In a process of its own: ends it with 0 where all products of `threads` threads are right, with 3 where memory ran
/// out, by a signal where it hangs.
[[noreturn]] void multiply_with(std::size_t more_bytes, int threads) {
  ::alarm(60);
  ::mallopt(M_ARENA_MAX, 1);  // threads would reserve 64 MB each
  const Matrix a = random_matrix(400, 400, 1);
  std::vector<std::thread> workers;
  std::vector<int> codes(static_cast<std::size_t>(threads), 0);
  std::atomic<bool> go{false};
  for (int& code : codes)
    workers.emplace_back([&] {
      while (!go) std::this_thread::yield();
      try {
        Matrix first = multiply(a, a);
        for (int i = 0; i < 20; ++i)
          if (largest_difference(multiply(a, a), first) != 0) code = 4;
      } catch (const std::bad_alloc&) {
        code = 3;
      }
    });
  const std::size_t bytes = address_space() + more_bytes;
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
  go = true;
  for (std::thread& worker : workers) worker.join();
  int worst = 0;
  for (const int code : codes) worst = std::max(worst, code);
  std::_Exit(worst);
}

TEST(BlasMemory, CallsWaitForBuffersThatThereIsNoMemoryFor) {
#if WORDBRIDGE_SANITIZED
  GTEST_SKIP() << "sanitizers reserve terabytes of addresses";
#endif
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(multiply_with(std::size_t{200} << 20, 6), ::testing::ExitedWithCode(0), "");
}

TEST(BlasMemory, WithoutAnyTheCallFails) {
#if WORDBRIDGE_SANITIZED
  GTEST_SKIP() << "sanitizers reserve terabytes of addresses";
#endif
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(multiply_with(std::size_t{40} << 20, 2), ::testing::ExitedWithCode(3), "");
}

}  // namespace
}  // namespace wordbridge::blas_memory_test
