#pragma once
#include "space/common_space.h"
#include "space/unit_rows.h"

namespace wordbridge {

/// A space over tables of unit rows that the test keeps.
inline CommonSpace space_of(ConstMatrixView sources, ConstMatrixView targets) {
  return CommonSpace(UnitRows::view(sources), UnitRows::view(targets));
}

}  // namespace wordbridge
