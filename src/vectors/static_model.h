#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// The words of one language with their vectors in a space that all languages share, the most frequent first.
struct StaticLanguage {
  const Vocabulary* words = nullptr;
  ConstMatrixView vectors = {};
};

struct StaticModelOptions {
  /// A word of rank r counts a / (a + p) times, with its share p of a text by Zipf's law, 1 / ((r + 1) H_N), as in SIF
  /// (Arora 2017): frequent words say little of a sentence. 0: all words count alike.
  double smooth = 1e-3;  // a
  bool blanks = false;   // texts are cut at blanks alone, not at punctuation
};

/// What was written.
struct StaticModelSummary {
  std::size_t words = 0;
  std::size_t shared = 0;    // words of several languages, whose vectors became one
  std::size_t left_out = 0;  // words that are not UTF-8
  bool lower_case = false;   // texts are brought to lower case, as the words are
};

/// Writes a sentence encoder: a sentence is the mean of its words' vectors. A folder that sentence-transformers
/// (StaticEmbedding) and model2vec open: model.safetensors (tensor `embeddings`, a row a word), tokenizer.json,
/// tokenizer_config.json, config.json, modules.json, and model.vocab, by which wordbridge reads it. Row 0, all zeros,
/// is for unknown words. UsageError where dimensions differ, or there are no words.
StaticModelSummary write_static_model(const std::vector<StaticLanguage>& languages, const std::string& folder,
                                      const StaticModelOptions& options = {});

}  // namespace wordbridge
