#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vectors/vocabulary.h"

namespace wordbridge {

/// How much of a lexicon the two vocabularies cover.
struct LexiconCoverage {
  std::uint64_t lines = 0;             // pairs in the file, comments and blank lines not counted
  std::uint64_t duplicates = 0;        // pairs that came before: set aside
  std::uint64_t identical = 0;         // pairs of two equal strings, where these were to be dropped
  std::uint64_t missing_source = 0;    // distinct pairs whose source word only is absent
  std::uint64_t missing_target = 0;    // whose target word only is absent
  std::uint64_t missing_both = 0;      // both absent
  std::uint64_t pairs = 0;             // usable pairs
  std::uint64_t source_words = 0;      // distinct source words of the usable pairs
  std::uint64_t target_words = 0;      // distinct target words of the usable pairs
  std::uint64_t all_source_words = 0;  // distinct source words of the file, usable or not
  std::uint64_t case_matched = 0;      // usable pairs in which a word was found only in another case
  std::uint64_t swapped_pairs = 0;     // distinct pairs that would be usable with the two sides swapped
  std::uint64_t only_swapped = 0;      // those of them that are not usable as they are
  std::uint64_t any_case_pairs = 0;    // usable pairs, and those that would be in another letter case
  std::uint64_t skipped_lines = 0;     // lines that are no pair, skipped by a lenient reader; not among `lines`
  std::string first_skipped;           // the error that the first of them would have been

  /// Share of the file's source words that are usable, in percent; 0 for an empty file.
  double source_percent() const;
  /// One line for people: `4987 of 5000 source words, 10872 of 11977 pairs; 1 duplicate, 13 source words ... missing`.
  std::string to_line() const;
};

/// A bilingual lexicon over two vocabularies: index pairs, many-to-many, without duplicates, in file order.
class Lexicon {
 public:
  struct Pair {
    WordId source;
    WordId target;
    friend bool operator==(const Pair&, const Pair&) = default;
  };

  Lexicon() = default;
  /// Pairs that come again are set aside. The counts of usable pairs and words are taken from the pairs; those of what
  /// is missing from `coverage`, which a reader fills.
  explicit Lexicon(std::vector<Pair> pairs, LexiconCoverage coverage = {});

  std::span<const Pair> pairs() const { return pairs_; }
  std::size_t size() const { return pairs_.size(); }
  bool empty() const { return pairs_.empty(); }
  const LexiconCoverage& coverage() const { return coverage_; }
  /// Distinct source words, ascending.
  std::vector<WordId> source_words() const;
  std::vector<WordId> target_words() const;
  /// The first `count` pairs.
  Lexicon first(std::size_t count) const;

 private:
  std::vector<Pair> pairs_;
  LexiconCoverage coverage_;
};

}  // namespace wordbridge
