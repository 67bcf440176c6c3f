#include "linalg/blas_core.h"

#include <cblas.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "linalg/blas.h"

namespace wordbridge::blas_core_test {
namespace {

TEST(BlasCore, FitsTheProcessorAndMultiplies) {
  const std::string name = blas_core_name();
#if defined(__x86_64__)
  if (std::getenv("OPENBLAS_CORETYPE") == nullptr && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    EXPECT_THAT(name, testing::Not(testing::AnyOf("Prescott", "Core2", "Nehalem", "Sandybridge", "Unknown")));
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
      EXPECT_THAT(name, testing::Not(testing::AnyOf("Haswell", "Zen")));
    }
  }
#endif
  // Whole numbers, so that every kernel must be exact, and sizes that no kernel's tile divides.
  Matrix a(37, 53), b(41, 53);
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<float>(i * 7 % 11) - 5;
  for (std::size_t i = 0; i < b.size(); ++i) b.data()[i] = static_cast<float>(i * 5 % 13) - 6;
  const Matrix product = multiply_abt(a, b);
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < b.rows(); ++j) {
      float sum = 0;
      for (std::size_t l = 0; l < a.cols(); ++l) sum += a(i, l) * b(j, l);
      EXPECT_EQ(product(i, j), sum) << name << " " << i << " " << j;
    }
}

/// Products of several threads at once, each with its own right answer: no buffers are shared.
TEST(BlasCore, ManyThreadsMultiplyAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 1000; ++i) {
        const auto rows = static_cast<std::size_t>(i % 3 == 0 ? 1 : 64), others = static_cast<std::size_t>(90 + i % 7);
        Matrix a(rows, 12), b(others, 12), c(rows, others);
        std::fill_n(a.data(), a.size(), static_cast<float>(t + 1));
        std::fill_n(b.data(), b.size(), 1.0f);
        multiply_abt_into(a, b, c);
        if (std::ranges::any_of(c.elements(), [&](float value) { return value != 12.0f * static_cast<float>(t + 1); }))
          ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(BlasCore, StartsNoThreads) {
  multiply_abt(Matrix(300, 300), Matrix(300, 300));
  EXPECT_EQ(openblas_get_num_threads(), 1);
}

TEST(BlasCore, AskedForStays) {
  const char* asked = std::getenv("OPENBLAS_CORETYPE");
  if (asked == nullptr) GTEST_SKIP() << "OPENBLAS_CORETYPE is not set";
  EXPECT_EQ(std::string(blas_core_name()), asked);
}

}  // namespace
}  // namespace wordbridge::blas_core_test
