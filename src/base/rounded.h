#pragma once
#include <cmath>

namespace wordbridge {

/// A measure as JSON gives it: to six decimals, so that 64.0 does not come out as 63.999999999999993.
inline double rounded(double value) { return std::round(value * 1e6) / 1e6; }

}  // namespace wordbridge
