#pragma once
#include <vector>

#include "space/sharded_space.h"
#include "wordbridge/induce_lexicon.h"

namespace wordbridge {

/// induce_lexicon() over tables that are dealt out; by all processes together, with the criteria of
/// sharded_criteria.h.
std::vector<InducedPair> induce_lexicon(const ShardedSpace& space, const InductionOptions& options = {});

}  // namespace wordbridge
