#pragma once
#include <cmath>
#include <cstdlib>

#include "wordbridge/formats.h"

namespace wordbridge {

/// Reads a source to its end and checks what every reader promises of its rows.
inline void exhaust(VectorSource& source) {
  std::uint64_t rows = 0;
  while (const auto block = source.next()) {
    if (block->words.empty() || block->rows.rows() != block->words.size()) std::abort();
    if (block->rows.cols() != source.dimension()) std::abort();
    for (const std::string& word : block->words)
      if (word.empty()) std::abort();
    for (const float value : block->rows.elements())
      if (!std::isfinite(value)) std::abort();
    rows += block->words.size();
  }
  if (rows == 0 || source.summary().rows != rows) std::abort();
}

}  // namespace wordbridge
