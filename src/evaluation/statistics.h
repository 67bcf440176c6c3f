#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

/// Pearson's correlation of two lists of the same length; nullopt if it is not defined: for fewer than two pairs, or
/// where all values of a list are the same.
std::optional<double> pearson_correlation(std::span<const double> x, std::span<const double> y);

/// Spearman's: Pearson's of the ranks, where equal values share the mean of their ranks.
std::optional<double> spearman_correlation(std::span<const double> x, std::span<const double> y);

/// Ranks from 1, equal values sharing the mean of theirs.
std::vector<double> shared_ranks(std::span<const double> values);

}  // namespace wordbridge
