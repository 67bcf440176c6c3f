#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "retrieval/rerank/feature_set.h"
#include "wordbridge/common_space.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// Some words of a lexicon, and the pairs of all others.
struct Fold {
  Lexicon known;     // to learn from
  Lexicon held_out;  // all pairs of the words that are held out
};

struct FoldOptions {
  /// With so many source words, one fold is enough, and its words are drawn from the rarer half: what a map is for are
  /// words rarer than those of its lexicon.
  std::size_t large_lexicon = 3000;
  double share_of_large = 0.3;  // of all source words, held out
  std::size_t folds = 2;        // of smaller lexicons: each holds an equal part of all words out
  std::uint64_t seed = 1;
};

/// No source word is both known and held out in a fold, and none is held out twice. Fewer than two source words: none.
std::vector<Fold> make_folds(const Lexicon& lexicon, const FoldOptions& options = {});

/// UsageError where a word of the held-out pairs is known: its features would know the answer.
void require_no_leak(const Fold& fold);

/// Learns a map from pairs, and gives the space that it leads to.
using LearnSpace = std::function<CommonSpace(const Lexicon& pairs)>;

/// What a re-ranker is learned from: words, a lexicon, and the way to learn a map for them.
struct RerankProblem {
  const Vocabulary& source;
  const Vocabulary& target;
  const Lexicon& lexicon;
  LearnSpace learn;
};

/// A word with its candidates in a map, and with features, that were learned without it.
struct CrossFittedWord {
  WordId word = 0;
  std::size_t group = 0;                 // the words of a group are ranked by weights of the others
  MatrixD features = {};                 // one row for each candidate; the first is the best by CSLS
  std::vector<std::uint8_t> right = {};  // one for each candidate
  std::size_t known = 0;                 // translations that the lexicon has, among the candidates or not
  std::vector<WordId> targets = {};      // the candidates
  Matrix cosines = {};                   // of their vectors to each other
};

struct CrossFittedWords {
  std::vector<std::string> features;  // names
  std::vector<CrossFittedWord> words;
  std::shared_ptr<const SpellingResources> spelling = nullptr;  // that the features were computed with
};

/// Groups that the held-out words of all folds are dealt out to in turn.
constexpr std::size_t kGroups = 5;

/// Learns a map and what features know from each fold's known pairs, and computes the features of its held-out words
/// there. Features that one fold lacks (because it has no cognates) are left out in all.
CrossFittedWords cross_fit(const RerankProblem& problem, std::span<const Fold> folds,
                           const std::shared_ptr<const SpellingResources>& spelling, const FeatureChoice& choice);

}  // namespace wordbridge
