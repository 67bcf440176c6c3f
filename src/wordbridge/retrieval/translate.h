#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wordbridge/lexicon/word_lookup.h"
#include "wordbridge/retrieval/make_criterion.h"
#include "wordbridge/vectors/word_vectors.h"

namespace wordbridge {

struct TranslatorOptions {
  std::string criterion = "csls";              // see criterion_names()
  CriterionOptions criterion_options = {};     // k
  CasePolicy case_policy = CasePolicy::title;  // people type words in any case
  bool use_subwords = true;                    // words outside the vocabulary by their subwords, where the model can
};

/// What came out for one word.
struct Translations {
  /// Where the vector of the word came from.
  enum class Origin {
    vocabulary,
    subwords,
    none,  // unknown, or its vector is zero: there are no candidates
  };
  struct Candidate {
    std::string word;
    WordId id;
    double score;
  };

  std::string query;  // as asked
  std::string word;   // as the source vocabulary spells it; empty where it does not have it
  Origin origin = Origin::none;
  std::vector<Candidate> candidates;  // best first
};

/// Translates words between two sets of vectors that share a space.
class Translator {
 public:
  /// Both tables in the common space with unit rows, as Mapping::apply gives them (subword vectors too). Move them in
  /// to save copies. UsageError where the dimensions differ or the criterion is unknown.
  Translator(WordVectors source, WordVectors target, const TranslatorOptions& options = {});

  /// The `count` best translations of each word, in the order asked.
  std::vector<Translations> translate(std::span<const std::string> words, std::size_t count);
  Translations translate(const std::string& word, std::size_t count);

  Criterion& criterion() { return *criterion_; }
  const WordVectors& source() const { return *source_; }
  const WordVectors& target() const { return *target_; }

 private:
  // On the heap, so that the criterion's views of the tables survive a move.
  std::unique_ptr<const WordVectors> source_, target_;
  std::unique_ptr<Criterion> criterion_;
  TranslatorOptions options_;
};

}  // namespace wordbridge
