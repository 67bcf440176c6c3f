#pragma once
#include "wordbridge/mapping.h"

namespace wordbridge {

// Mappings of a hub, each from a language to the pivot, put together. Nothing is turned around: both languages are
// taken into the space in which the second one meets the pivot, which is the pivot's own where its map moves one side
// only.

/// From the pivot to the language.
Mapping from_pivot(const Mapping& language);
/// From the first language to the second. UsageError where they were learned with different pivots.
Mapping between(const Mapping& first, const Mapping& second);
/// Into the pivot's own space, also where the language's method moves the pivot's side too: there all languages can be
/// compared. `distortion`, where wanted, is how much that changes cosines (mapping/composition.h).
Mapping into_pivot_space(const Mapping& language, double* distortion = nullptr);
/// The pivot itself, which stays where it is.
Mapping pivot_itself(const Mapping& any_language);

}  // namespace wordbridge
