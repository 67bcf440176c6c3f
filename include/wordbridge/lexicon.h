#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wordbridge/vocabulary.h"
#include "wordbridge/word_vectors.h"

namespace [[gnu::visibility("default")]] wordbridge {

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
  std::uint64_t phrases = 0;           // distinct pairs in which a word is a phrase (New York)
  std::uint64_t phrases_found = 0;     // of these, the usable ones: the vocabularies have them, joined in some way
  std::uint64_t phrases_of_words = 0;  // and those whose words the vocabularies have, but not the phrases
  std::uint64_t skipped_lines = 0;     // lines that are no pair, skipped by a lenient reader; not among `lines`
  std::string first_skipped = {};      // the error that the first of them would have been
  std::uint64_t known_words = 0;       // in evaluations: source words of which the mapping's own lexicon says a pair
  std::uint64_t known_pairs = 0;       // and these pairs: they are no test of it

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
    double weight = 1;  // what the pair counts for in training, from 0 up
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  /// A pair as it is written.
  struct WrittenPair {
    std::string source;
    std::string target;
    double weight = 1;
    friend bool operator==(const WrittenPair&, const WrittenPair&) = default;
  };

  Lexicon() = default;
  /// Pairs that come again, with whatever weight, are set aside. The counts of usable pairs and words are taken from
  /// the pairs; those of what is missing from `coverage`, which a reader fills.
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

  /// Pairs of the file in which a vocabulary lacks the word: nothing is learned from them, but they are known. Parts of
  /// a lexicon do not have them.
  std::span<const WrittenPair> outside() const { return outside_; }
  void set_outside(std::vector<WrittenPair> pairs) { outside_ = std::move(pairs); }
  /// Nobody said that these are translations: words that both languages write alike.
  bool is_guess() const { return is_guess_; }
  void set_guess(bool guess) { is_guess_ = guess; }

 private:
  std::vector<Pair> pairs_;
  LexiconCoverage coverage_;
  std::vector<WrittenPair> outside_;
  bool is_guess_ = false;
};

/// What to try, in this order, when a word is looked up in a vocabulary. Each policy includes the ones before it.
enum class CasePolicy {
  exact,  // the word as it is written
  lower,  // then in lower case
  title,  // then with a capital first letter and the rest in lower case
};

/// Which mistakes of a lexicon are refused: columns in the wrong order, words of another language than the vectors', or
/// in another letter case.
enum class LexiconChecks { all, except_case, none };

/// How to read a lexicon and to look its words up.
struct LexiconOptions {
  CasePolicy case_policy = CasePolicy::exact;  // what counts as the same word
  LexiconChecks checks = LexiconChecks::all;   // what must not be wrong with it
  bool swap_columns = false;                   // target words come first in the file
  bool drop_identical = false;                 // leave out pairs whose two strings are equal (evaluate --no-identical)
  bool lenient = false;                        // skip and count lines that are no pair instead of failing
};

/// The pairs of a file whose words are in the two vocabularies; docs/file-formats.md says what may stand in it.
/// Throws InputError for a line that is no pair, and where no pair is usable or the lexicon is not one for these
/// vocabularies: the message then says why.
Lexicon read_lexicon(const std::string& path, const Vocabulary& source, const Vocabulary& target,
                     const LexiconOptions& options = {});
/// The same for the words of two tables.
Lexicon read_lexicon(const std::string& path, const WordVectors& source, const WordVectors& target,
                     const LexiconOptions& options = {});

}  // namespace wordbridge
