#pragma once
#include <cstdint>
#include <vector>

#include "wordbridge/word_vectors.h"

namespace wordbridge {

/// A ground truth for methods without a lexicon: a cloud of words with structure (clusters, a decaying spectrum), and
/// the same cloud rotated, disturbed by noise and shuffled.
struct HiddenRotation {
  WordVectors source;
  WordVectors target;
  std::vector<std::uint32_t> partner;  // target row of each source row

  /// Share of source words whose nearest target (cosine) under W is their partner.
  double recovered(const Matrix& w) const;
};

/// With `flat` the cloud has neither clusters nor a leading direction: then nothing but the partners themselves agrees.
HiddenRotation hidden_rotation(std::size_t words, std::size_t dimension, double noise, std::uint64_t seed,
                               bool flat = false);

}  // namespace wordbridge
