#include "search/int8/hadamard_rotation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "search/kernels/kernel_choice.h"

namespace wordbridge::hadamard_rotation_test {
namespace {

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

TEST(HadamardRotation, KeepsDotProducts) {
  Random random(1);
  for (const std::size_t n : {1, 2, 3, 4, 5, 8, 12, 64, 100, 300, 320, 1024, 4096}) {
    const HadamardRotation rotation(n, *kernels().encode);
    std::vector<float> a(n), b(n);
    for (float& value : a) value = static_cast<float>(random.normal());
    for (float& value : b) value = static_cast<float>(random.normal());
    const double before = dot(a, b), norms = std::sqrt(dot(a, a) * dot(b, b));
    rotation.apply(a.data());
    rotation.apply(b.data());
    EXPECT_NEAR(dot(a, b), before, 2.1 * rotation.error() * norms) << n;
  }
}

TEST(HadamardRotation, SpreadsEveryAxis) {
  for (const std::size_t n : {64, 300, 320, 1000}) {
    const HadamardRotation rotation(n, *kernels().encode);
    for (const std::size_t axis : {std::size_t{0}, n / 2, n - 1}) {
      std::vector<float> a(n);
      a[axis] = 1;
      rotation.apply(a.data());
      float largest = 0;
      for (const float value : a) largest = std::max(largest, std::fabs(value));
      EXPECT_LT(largest, 0.4f) << n << " " << axis;
    }
  }
}

TEST(HadamardRotation, ErrorIsSmallAndNotZero) {
  EXPECT_GT(HadamardRotation(300, *kernels().encode).error(), 1e-7);
  EXPECT_LT(HadamardRotation(300, *kernels().encode).error(), 2e-6);
}

}  // namespace
}  // namespace wordbridge::hadamard_rotation_test
