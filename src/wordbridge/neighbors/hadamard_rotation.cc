#include "wordbridge/neighbors/hadamard_rotation.h"

#include <bit>
#include <cmath>

#include "wordbridge/base/random.h"
#include "wordbridge/neighbors/rounding.h"

namespace wordbridge {

namespace {

/// The Walsh-Hadamard transform of n = 2^p values, in place, not scaled.
void transform(float* values, std::size_t n) {
  std::size_t half = n / 2;
  for (; half >= 4; half /= 2)
    for (std::size_t start = 0; start < n; start += 2 * half)
      for (std::size_t i = start; i < start + half; ++i) {
        const float a = values[i], b = values[i + half];
        values[i] = a + b;
        values[i + half] = a - b;
      }
  if (half == 2) {  // the last two stages on four values at once
    for (std::size_t i = 0; i < n; i += 4) {
      const float a = values[i] + values[i + 2], b = values[i + 1] + values[i + 3];
      const float c = values[i] - values[i + 2], d = values[i + 1] - values[i + 3];
      values[i] = a + b;
      values[i + 1] = a - b;
      values[i + 2] = c + d;
      values[i + 3] = c - d;
    }
  } else if (half == 1) {
    const float a = values[0], b = values[1];
    values[0] = a + b;
    values[1] = a - b;
  }
}

}  // namespace

HadamardRotation::HadamardRotation(std::size_t dimension)
    : dimension_(dimension), block_(std::bit_floor(dimension)), signs_(2 * block_) {
  const int stages = std::countr_zero(block_ | 1 << 31);
  factor_ = static_cast<float>(std::sqrt(1.0 / static_cast<double>(block_)));
  error_ = std::expm1(2 * (stages + 2) * std::log1p(kFloatRoundoff)) * (1 + 0x1.0p-40);
  Random random(20'181'031);
  for (float& sign : signs_) sign = random.bits() >> 63 == 0 ? factor_ : -factor_;
}

void HadamardRotation::apply(float* values) const {
  if (dimension_ == 0) return;
  for (std::size_t i = 0; i < block_; ++i) values[i] *= signs_[i];
  transform(values, block_);
  float* last = values + (dimension_ - block_);
  for (std::size_t i = 0; i < block_; ++i) last[i] *= signs_[block_ + i];
  transform(last, block_);
}

}  // namespace wordbridge
