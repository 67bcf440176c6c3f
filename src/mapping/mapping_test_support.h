#pragma once
#include "wordbridge/mapping.h"

namespace wordbridge {

/// A mapping in which every part is filled: two maps (2 x 3 and 2 x 4), normalizers with means, the whole provenance.
Mapping full_mapping();
/// One map only, nothing else.
Mapping small_mapping();

}  // namespace wordbridge
