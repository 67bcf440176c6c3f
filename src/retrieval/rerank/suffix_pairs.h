#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "lexicon/spelling.h"

namespace wordbridge {

using LetterPair = std::pair<std::u32string_view, std::u32string_view>;

/// How many words of a vocabulary end so, of all: v(e) for endings of 1, 2 and 3 letters.
class SuffixShares {
 public:
  static constexpr std::size_t kLongest = 3;
  /// Endings by their letters, ascending, and their shares.
  struct OfLength {
    std::span<const std::uint64_t> suffixes = {};
    std::span<const double> shares = {};
  };

  explicit SuffixShares(const SpellingTable& words);
  SuffixShares(const std::array<OfLength, kLongest>& lengths, std::shared_ptr<const void> owner)
      : lengths_(lengths), owner_(std::move(owner)) {}

  static std::uint64_t suffix_of(std::u32string_view word, std::size_t letters);
  /// By the number of letters less 1; 0 for an ending that no word has.
  double share(std::size_t length, std::uint64_t suffix) const;
  const std::array<OfLength, kLongest>& lengths() const { return lengths_; }

 private:
  std::array<OfLength, kLongest> lengths_;
  std::shared_ptr<const void> owner_;
};

/// Which endings translate which: for the last k = 1, 2, 3 letters, log P(ending of y | ending of x) / P(ending of y)
/// over the pairs of a lexicon. P(e) = (n(e) + 30 v(e)) / (n + 30) with the share v(e) of the target vocabulary, and
/// P(e | f) = (n(f, e) + 3 P(e)) / (n(f) + 3).
class SuffixPairs {
 public:
  static constexpr std::size_t kLongest = SuffixShares::kLongest;

  SuffixPairs(std::span<const LetterPair> pairs, SuffixShares shares);

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
    std::unordered_map<Suffix, Given> given;    // n(f), n(f, e)
    std::unordered_map<Suffix, double> counts;  // n(e)
    double log_ratio(Suffix source, Suffix target, double share) const;
  };

  SuffixShares shares_;
  std::array<OfLength, kLongest> lengths_;
};

}  // namespace wordbridge
