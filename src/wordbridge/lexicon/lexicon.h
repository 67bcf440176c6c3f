#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wordbridge/vectors/vocabulary.h"

namespace wordbridge {

/// How much of a lexicon the two vocabularies cover.
struct LexiconCoverage {
  std::uint64_t lines = 0;             // pairs in the file, comments and blank lines not counted
  std::uint64_t duplicates = 0;        // pairs that came before: set aside
  std::uint64_t missing_source = 0;    // distinct pairs whose source word only is absent
  std::uint64_t missing_target = 0;    // whose target word only is absent
  std::uint64_t missing_both = 0;      // both absent
  std::uint64_t pairs = 0;             // usable pairs
  std::uint64_t source_words = 0;      // distinct source words of the usable pairs
  std::uint64_t target_words = 0;      // distinct target words of the usable pairs
  std::uint64_t all_source_words = 0;  // distinct source words of the file, usable or not
  std::uint64_t case_matched = 0;      // usable pairs in which a word was found only in another case

  /// `5000 of 5000 source words, 10872 of 11977 pairs (…)`: one line for people.
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
