#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "evaluation/similarity_pairs.h"
#include "lexicon/word_lookup.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

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
  std::optional<double> spearman;              // nothing where it is not defined
  std::optional<double> pearson;               //
  std::vector<std::optional<double>> cosines;  // of each pair; nothing where it was not found
};

/// The first words of the pairs are looked up on the source side, the second ones on the side `second`: the same for
/// pairs within one language. Words without a vector are not found.
Similarity evaluate_similarity(const SimilarityPairs& pairs, const CommonSpace& space, Side second,
                               const SimilarityOptions& options = {});

}  // namespace wordbridge
