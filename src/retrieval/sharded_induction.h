#pragma once
#include <vector>

#include "space/sharded_space.h"
#include "wordbridge/induce_lexicon.h"

namespace wordbridge {

/// induce_lexicon() over sharded tables, by all processes together; with criteria that they can share
/// (require_sharded_criterion()).
std::vector<InducedPair> induce_lexicon(const ShardedSpace& space, const InductionOptions& options = {});

}  // namespace wordbridge
