#pragma once
#include "space/unit_rows.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

/// A space over tables of unit rows that the test keeps.
inline CommonSpace space_of(ConstMatrixView sources, ConstMatrixView targets) {
  return CommonSpace(UnitRows::view(sources), UnitRows::view(targets));
}

}  // namespace wordbridge
