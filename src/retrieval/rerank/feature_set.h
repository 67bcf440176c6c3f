#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "retrieval/rerank/candidates.h"
#include "retrieval/rerank/feature_family.h"
#include "retrieval/rerank/lexicon_knowledge.h"
#include "retrieval/rerank/product_features.h"

namespace wordbridge {

/// Which families of features take part. Without spelling, suffixes and candidates by n-grams go, too: equal endings
/// betray cognates.
struct FeatureChoice {
  bool semantic = true;  // forward, backward, local
  bool spelling = true;
  bool frequency = true;

  /// "all", or names of families joined by commas: "semantic,frequency". UsageError for anything else, and where
  /// neither meaning nor spelling is left to rank by.
  static FeatureChoice parse(std::string_view text);
};

/// Why spelling and frequency say nothing of these pairs, for people; nullopt where they may: (nearly) all pairs are
/// equal strings, or (nearly) all words are ids such as "s17". A re-ranker would learn from them that a string
/// translates itself, or that row i belongs to row i, whatever the vectors say.
std::optional<std::string> objection_to_spelling(const Lexicon& pairs, const Vocabulary& source,
                                                 const Vocabulary& target);

/// The same where nothing is known: nullopt unless (nearly) all words of one vocabulary are words of the other, or
/// (nearly) all words of both are ids.
std::optional<std::string> objection_to_spelling(const Vocabulary& source, const Vocabulary& target);

/// Computes all features of a word's candidates.
class FeatureSet {
 public:
  /// `spelling` may be nullptr where the choice is without.
  FeatureSet(const CommonSpace& space, const std::shared_ptr<const SpellingResources>& spelling,
             const LexiconKnowledge& knowledge, const FeatureChoice& choice);

  const std::vector<std::string>& names() const { return names_; }
  /// Makes compute() sooner for many words: asks for all of them at once what each would ask for.
  void prepare(std::span<WordCandidates> words) const {
    for (const auto& family : families_) family->prepare(words);
  }
  /// One row for each candidate, one column for each name.
  MatrixD compute(const WordCandidates& word) const;

 private:
  void add(std::unique_ptr<const FeatureFamily> family);

  std::vector<std::unique_ptr<const FeatureFamily>> families_;
  std::vector<std::string> names_;
  ProductFeatures products_;
};

}  // namespace wordbridge
