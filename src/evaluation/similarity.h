#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/byte_stream.h"
#include "lexicon/word_lookup.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

/// Pairs of words, or phrases, with how similar people find them.
///
/// A pair a line: two words, then columns of which the first that holds a number in the first pair is the score. What
/// separates them is decided by the first line that is no comment: a tab where it has one, else a comma, else blanks.
/// Lines that begin with `#` are comments; a first line without a score is a heading. A byte order mark, carriage
/// returns and blank lines are harmless.
struct SimilarityPairs {
  struct Pair {
    std::string first, second;
    double score = 0;
    friend bool operator==(const Pair&, const Pair&) = default;
  };

  std::string path;                 // for messages and reports
  std::vector<Pair> pairs;          // in file order, repetitions included
  std::uint64_t skipped_lines = 0;  // lines that are no pair, skipped by a lenient reader
  std::string first_skipped;        // the error that the first of them would have been
};

/// Throws InputError for a line that is no pair (unless `lenient`), and for a file without any. The layout of
/// SemEval-2017 task 2 has the scores in a file of their own: for x.data.txt, x.gold.txt in the same folder, or in
/// `keys` beside that folder.
SimilarityPairs read_similarity_pairs(const std::string& path, bool lenient = false);
/// Without SemEval's layout.
SimilarityPairs read_similarity_pairs(ByteStream& stream, bool lenient = false);

struct SimilarityOptions {
  CasePolicy case_policy = CasePolicy::lower;  // sets are written with capitals, vectors often are not
  /// A phrase that is no word of the vocabulary gets the mean of the vectors of its words, if all have one; else pairs
  /// with it are not found.
  bool average_phrases = false;
};

/// How well cosines agree with what people say.
struct Similarity {
  std::size_t pairs = 0;
  std::size_t found = 0;                       // pairs whose words both have vectors: what is measured
  std::size_t case_matched = 0;                // found pairs with a word found only in another case
  std::size_t averaged = 0;                    // found pairs with a phrase that was averaged
  std::optional<double> spearman;              // nullopt if it is not defined
  std::optional<double> pearson;               //
  std::vector<std::optional<double>> cosines;  // of each pair; nullopt if it was not found
};

/// The first words of the pairs are looked up on the source side, the second ones on the side `second`: the same for
/// pairs within one language. Words without a vector are not found.
Similarity evaluate_similarity(const SimilarityPairs& pairs, const CommonSpace& space, Side second,
                               const SimilarityOptions& options = {});

}  // namespace wordbridge
