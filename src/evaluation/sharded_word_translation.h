#pragma once
#include "lexicon/lexicon_reader.h"
#include "space/sharded_space.h"
#include "wordbridge/word_translation.h"

namespace wordbridge {

/// evaluate_word_translation() over tables that are sharded; by all processes together.
WordTranslation evaluate_word_translation(const Criterion& criterion, const ShardedSpace& space,
                                          const GoldLexicon& lexicon);

}  // namespace wordbridge
