#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vectors/letter_case.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {

struct InspectionOptions {
  std::size_t random_pairs = 10'000;  // for the mean cosine
  std::uint64_t seed = 1;
  std::size_t examples = 10;  // words shown of each kind
};

/// What a look at a set of word vectors tells, before any alignment.
struct Inspection {
  /// How many there are of something, and the first few of them.
  struct Finding {
    std::uint64_t count = 0;
    std::vector<std::string> examples;
  };
  /// Lengths of the rows that are not zero.
  struct Norms {
    static constexpr std::array<double, 7> kQuantiles = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
    double min = 0, mean = 0, max = 0;
    std::array<double, kQuantiles.size()> quantiles = {};  // nearest rank
    double median() const { return quantiles[3]; }
  };

  ReadSummary summary;  // how the file was read; duplicates of words are counted there
  std::uint64_t words = 0;
  std::uint64_t dimension = 0;
  std::vector<std::string> first_words;  // the most frequent ones in the usual files
  Norms norms;
  std::array<std::uint64_t, 6> letter_cases = {};  // words of each LetterCase
  std::uint64_t of_case(LetterCase letter_case) const { return letter_cases[static_cast<std::size_t>(letter_case)]; }

  /// Of random pairs of rows: near 0 for centered vectors, far above it where one direction dominates.
  double mean_cosine = 0;
  double deviation_of_cosine = 0;
  std::uint64_t random_pairs = 0;

  Finding zero_rows;             // take part in nothing
  Finding far_norms;             // log length over 3 interquartile ranges outside the quartiles, and 2x off the median
  Finding duplicate_rows;        // equal, bit for bit, to a row that came before: "word = earlier word"
  Finding constant_coordinates;  // the same value in all rows that are not zero: "coordinate 7 = 0.25"

  bool suspicious() const {
    return zero_rows.count + far_norms.count + duplicate_rows.count + constant_coordinates.count > 0;
  }
};

Inspection inspect_vectors(const WordVectors& vectors, const InspectionOptions& options = {});

}  // namespace wordbridge
