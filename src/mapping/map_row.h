#pragma once
#include <span>
#include <vector>

#include "wordbridge/mapping.h"

namespace wordbridge {

/// One source vector by the mapping, on the calling thread: what answers a query in a service. The same as
/// Mapping::apply() but for the last bits, several times as fast. UsageError where the dimension is another.
void map_row(const Mapping& mapping, std::span<const float> row, bool unit, std::span<float> result);

}  // namespace wordbridge
