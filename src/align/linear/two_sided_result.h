#pragma once
#include "align/paired_rows.h"

namespace wordbridge {

/// The result of a method that moves both sides, W (c x d_s) and V (c x d_t), with its fit metrics in the common space.
AlignmentResult two_sided_result(const PairedRows& rows, Matrix source_map, Matrix target_map);

}  // namespace wordbridge
