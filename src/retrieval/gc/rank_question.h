#pragma once
#include <cstddef>

#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// How many source words score higher with a target than `score`?
struct RankQuestion {
  WordId target;
  float score;
  std::size_t enough;  // a rank above this need not be known
};

}  // namespace wordbridge
