// Kernels in plain C++, for any machine.
#include "wordbridge/neighbors/kernels.h"

namespace wordbridge {

namespace {

constexpr std::size_t kLanes = 16;

float exact_score(const float* a, const float* b, std::size_t dimension) {
  double lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= dimension; i += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += static_cast<double>(a[i + l]) * static_cast<double>(b[i + l]);
  for (std::size_t l = 0; i + l < dimension; ++l)
    lanes[l] += static_cast<double>(a[i + l]) * static_cast<double>(b[i + l]);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  return static_cast<float>(lanes[0]) + 0.0f;
}

std::size_t select_not_below(const float* scores, std::size_t count, float threshold, std::uint32_t* passed) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    passed[found] = static_cast<std::uint32_t>(i);
    found += !(scores[i] < threshold);
  }
  return found;
}

}  // namespace

extern const Kernels kKernelsPortable;
const Kernels kKernelsPortable = {"portable", exact_score, select_not_below};

}  // namespace wordbridge
