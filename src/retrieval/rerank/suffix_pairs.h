#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

#include "retrieval/rerank/spelling_model.h"

namespace wordbridge {

/// Which endings translate which: for the last k = 1, 2, 3 letters, log P(ending of y | ending of x) / P(ending of y)
/// over the pairs of a lexicon. P(e) = (n(e) + 30 v(e)) / (n + 30) with the share v(e) of the target vocabulary, and
/// P(e | f) = (n(f, e) + 3 P(e)) / (n(f) + 3).
class SuffixPairs {
 public:
  static constexpr std::size_t kLongest = 3;

  SuffixPairs(std::span<const SpellingModel::LetterPair> pairs, const SpellingTable& targets);

  /// By k - 1. A word of fewer letters is its own ending.
  std::array<double, kLongest> log_ratios(std::u32string_view source, std::u32string_view target) const;

 private:
  using Suffix = std::uint64_t;
  struct Given {
    double count = 0;
    std::unordered_map<Suffix, double> targets;
  };
  struct OfLength {
    double pairs = 0;
    std::unordered_map<Suffix, Given> given;           // n(f), n(f, e)
    std::unordered_map<Suffix, double> counts, share;  // n(e), v(e)
    double log_ratio(Suffix source, Suffix target) const;
  };
  static Suffix suffix_of(std::u32string_view word, std::size_t letters);

  std::array<OfLength, kLongest> lengths_;
};

}  // namespace wordbridge
