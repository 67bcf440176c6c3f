#pragma once
#include <immintrin.h>

#include <chrono>
#include <cstddef>

#include "benchmarks/report.h"
#include "parallel/thread_pool.h"

namespace wordbridge::benchmarks {

namespace fma_peak_detail {

// Twelve sums that do not wait for each other keep two units with a latency of four or five cycles busy.
constexpr std::size_t kSums = 12;

__attribute__((target("avx2,fma"), noinline)) inline void run_avx2(std::size_t rounds) {
  __m256 sums[kSums];
  for (auto& sum : sums) sum = _mm256_set1_ps(1);
  __m256 a = _mm256_set1_ps(0.999f), b = _mm256_set1_ps(1e-3f);
  for (std::size_t round = 0; round < rounds; ++round) {
    asm volatile("" : "+x"(a), "+x"(b));
#pragma GCC unroll 12
    for (auto& sum : sums) sum = _mm256_fmadd_ps(sum, a, b);
  }
  for (auto& sum : sums) asm volatile("" : : "x"(sum));
}

__attribute__((target("avx512f"), noinline)) inline void run_avx512(std::size_t rounds) {
  __m512 sums[kSums];
  for (auto& sum : sums) sum = _mm512_set1_ps(1);
  __m512 a = _mm512_set1_ps(0.999f), b = _mm512_set1_ps(1e-3f);
  for (std::size_t round = 0; round < rounds; ++round) {
    asm volatile("" : "+v"(a), "+v"(b));
#pragma GCC unroll 12
    for (auto& sum : sums) sum = _mm512_fmadd_ps(sum, a, b);
  }
  for (auto& sum : sums) asm volatile("" : : "v"(sum));
}

}  // namespace fma_peak_detail

/// One run that measures how many float operations a second all threads of the pool can do at most, two for each
/// multiply-add: returns how many it did. With AVX-512 if wanted, else with AVX2.
inline double run_fma_peak(bool avx512) {
  constexpr std::size_t kRounds = 2'000'000;
  using namespace fma_peak_detail;
  const auto threads = static_cast<std::size_t>(ThreadPool::current().size());
  // More chunks than threads, so that a thread that loses its core for a while does not delay the end.
  const std::size_t chunks = 16 * threads;
  ThreadPool::current().for_chunks(
      chunks, 1, [&](std::size_t, std::size_t, int) { avx512 ? run_avx512(kRounds) : run_avx2(kRounds); });
  return static_cast<double>(chunks * kRounds * kSums * (avx512 ? 16 : 8) * 2);
}

}  // namespace wordbridge::benchmarks
