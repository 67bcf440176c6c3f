#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "retrieval/rerank/candidates.h"
#include "retrieval/rerank/feature_family.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/mapping.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {

/// `values`: row by row.
WordVectors vectors_of(const std::vector<std::string>& words, const std::vector<float>& values);

/// The values of a family for some candidates.
MatrixD values_of(const FeatureFamily& family, const WordCandidates& word);

/// Two languages whose words translate each other by number: word i of the source is word i of the target. The vectors
/// are the same but for noise, which misleads nearest neighbors now and then; half of the words are cognates, spelled
/// alike but for the ending, as "kamo" and "camus".
struct PlantedLanguages {
  WordVectors source, target;
  Lexicon lexicon;  // the first words

  /// The space as it is: no map has to be learned.
  Mapping identity() const;
  CommonSpace space() const { return CommonSpace(identity(), source, target); }
};
PlantedLanguages planted_languages(std::size_t words, std::size_t pairs, double noise, std::uint64_t seed);

}  // namespace wordbridge
