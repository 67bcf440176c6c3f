#include "search/int8/hadamard_rotation.h"

#include <bit>
#include <cmath>

#include "base/random.h"
#include "search/rounding.h"

namespace wordbridge {

HadamardRotation::HadamardRotation(std::size_t dimension, const EncodeKernel& kernel)
    : kernel_(&kernel), dimension_(dimension), block_(std::bit_floor(dimension)), signs_(2 * block_) {
  const int stages = std::countr_zero(block_ | 1 << 31);
  factor_ = static_cast<float>(std::sqrt(1.0 / static_cast<double>(block_)));
  error_ = std::expm1(2 * (stages + 2) * std::log1p(kFloatRoundoff)) * (1 + 0x1.0p-40);
  Random random(20'181'031);
  for (float& sign : signs_) sign = random.bits() >> 63 == 0 ? factor_ : -factor_;
}

void HadamardRotation::apply(float* values) const {
  if (dimension_ == 0) return;
  for (std::size_t i = 0; i < block_; ++i) values[i] *= signs_[i];
  kernel_->transform(values, block_);
  float* last = values + (dimension_ - block_);
  for (std::size_t i = 0; i < block_; ++i) last[i] *= signs_[block_ + i];
  kernel_->transform(last, block_);
}

}  // namespace wordbridge
