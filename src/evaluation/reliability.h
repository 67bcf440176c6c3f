#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "wordbridge/word_translation.h"

namespace wordbridge {

/// A translation that a mapping was sure of.
struct ConfidentTranslation {
  std::string word, translation;
  double score = 0;
  std::vector<std::string> gold;  // what is right
};

/// The covered words whose best candidates have the highest scores, of those that are right or of those that are wrong.
std::vector<ConfidentTranslation> confident_translations(const WordTranslation& result, bool right, std::size_t count);

/// Whether probabilities are what they say: of the words whose best candidate has probability 0.7, seven in ten should
/// be right.
struct Reliability {
  /// Words whose best candidate has a probability between two tenths.
  struct Bin {
    std::size_t words = 0;
    double probability = 0;  // the mean, in percent
    double right = 0;        // percent
  };
  std::size_t words = 0;  // covered ones that have a candidate
  std::vector<Bin> bins;  // ten, the least probable first
  /// Expected calibration error: the mean over the words of |right − probability| of their bins, in points of percent
  /// (Naeini 2015).
  double error = 0;
};

/// The scores of the result are probabilities.
Reliability evaluate_reliability(const WordTranslation& result);

}  // namespace wordbridge
