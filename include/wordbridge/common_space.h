#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/mapping.h"
#include "wordbridge/matrix.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {
class UnitRows;  // hidden
}

namespace [[gnu::visibility("default")]] wordbridge {

/// The words of two languages with their vectors in the space that they share, all of length 1: what translation,
/// induction and evaluation work on. Vectors are mapped, search indexes and CSLS statistics built when they are first
/// needed, once, and shared by all threads; nothing else ever changes. Copies share everything, and cost nothing.
class CommonSpace {
 public:
  /// Both sides as the mapping maps them. Move the vectors in to save copies. UsageError where a dimension is another.
  CommonSpace(const Mapping& mapping, WordVectors source, WordVectors target);
  /// The same from vectors that stay as they are, without a copy of them.
  static CommonSpace mapped(const Mapping& mapping, const WordVectors& source, const WordVectors& target);
  /// Vectors that share a space already. UsageError where the dimensions differ.
  CommonSpace(WordVectors source, WordVectors target);
  /// Rows without words.
  CommonSpace(UnitRows source, UnitRows target);
  /// The words of one language alone, as they are or as one side of a mapping; they are the source side, and the other
  /// one is empty.
  static CommonSpace of_one(WordVectors vectors);
  static CommonSpace of_one(const Mapping& mapping, WordVectors vectors, Side side);

  std::size_t size(Side side) const;
  std::size_t dimension() const;
  const Vocabulary& vocabulary(Side side) const;
  /// Row i belongs to word i: of length 1, or zero for a word without a vector.
  ConstMatrixView table(Side side) const;
  /// The vector of a word outside the vocabulary, made of its subwords; nullopt if there is no subword model.
  std::optional<std::vector<float>> subword_vector(std::string_view word, Side side) const;
  /// The retrieval criterion that goes with the mapping: "rerank" where it carries a re-ranker; "csls" where there is
  /// none.
  const std::string& criterion() const;
  /// The re-ranker that the mapping carries; nullptr where there is none.
  const std::shared_ptr<const RerankModel>& reranker() const;
  /// The pairs that the mapping was learned from, where it carries them; else nullptr.
  const std::shared_ptr<const StoredLexicon>& lexicon() const;

  /// For the library itself (common_space_state.h).
  class State;
  const State& state() const { return *state_; }
  explicit CommonSpace(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace wordbridge
