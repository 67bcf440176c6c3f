#include "wordbridge/linalg/blas_core.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <string>

#include "wordbridge/linalg/blas.h"

namespace wordbridge::blas_core_test {
namespace {

TEST(BlasCore, FitsTheProcessorAndMultiplies) {
  const std::string name = blas_core_name();
#if defined(__x86_64__)
  if (std::getenv("OPENBLAS_CORETYPE") == nullptr && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    EXPECT_THAT(name, testing::Not(testing::AnyOf("Prescott", "Core2", "Nehalem", "Sandybridge", "Unknown")));
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

TEST(BlasCore, AskedForStays) {
  const char* asked = std::getenv("OPENBLAS_CORETYPE");
  if (asked == nullptr) GTEST_SKIP() << "OPENBLAS_CORETYPE is not set";
  EXPECT_EQ(std::string(blas_core_name()), asked);
}

}  // namespace
}  // namespace wordbridge::blas_core_test
