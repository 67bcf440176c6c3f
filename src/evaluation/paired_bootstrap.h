#pragma once
#include <cstddef>
#include <cstdint>

#include "wordbridge/word_translation.h"

namespace wordbridge {

struct BootstrapOptions {
  std::size_t samples = 10'000;
  std::uint64_t seed = 1;
};

/// How sure it is that one mapping translates better than another: the source words of the test are drawn anew, with
/// replacement, and the difference of P@1 taken again and again (Efron and Tibshirani 1993; Koehn 2004).
struct PairedBootstrap {
  std::size_t words = 0;     // source words of the test, all of them
  double first = 0;          // P@1 in percent
  double second = 0;         //
  double low = 0, high = 0;  // where the middle 95% of the differences second - first are
  double p_value = 1;  // two-sided, never 0: (1 + samples on the rarer side of no difference) / (1 + samples), twice
  std::size_t only_first = 0;   // words that only the first translates right
  std::size_t only_second = 0;  //
  std::size_t samples = 0;

  double difference() const { return second - first; }
};

/// Both results over the same source words in the same order; UsageError otherwise.
PairedBootstrap compare(const WordTranslation& first, const WordTranslation& second,
                        const BootstrapOptions& options = {});

}  // namespace wordbridge
