#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "retrieval/rerank/spelling_resources.h"
#include "search/neighbor_search.h"
#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

class BackwardLists;
class CslsStatistics;

/// A word that asks, its candidates, and what CSLS knows of them.
struct WordCandidates {
  AskingWord word;
  std::u32string letters = {};         // normalized_spelling() of the word
  NgramIndex::Profile profile = {};    // empty where spellings are not looked at
  std::span<const float> vector = {};  // unit length
  double mean = 0;                     // r_t(q): mean cosine to the k nearest targets
  std::vector<WordId> targets = {};    // by CSLS, best first, then those that spelling adds
  std::vector<double> cosines = {};    // one for each target, as all that follow
  std::vector<double> means = {};      // r_s(y): mean cosine of the target to its k nearest source words
  std::vector<double> csls = {};       // 2 cos - r_t - r_s
  /// The nearest source words of a target, best first, `near` of them for each.
  std::size_t near = 0;
  std::vector<WordId> near_words = {};
  std::vector<float> near_cosines = {};
  /// The known words nearest to this one, where LocalFeatures looked for those of many words at once.
  std::optional<Neighbors> near_known = std::nullopt;

  std::size_t size() const { return targets.size(); }
  std::span<const WordId> near_words_of(std::size_t candidate) const {
    return std::span(near_words).subspan(candidate * near, near);
  }
  std::span<const float> near_cosines_of(std::size_t candidate) const {
    return std::span(near_cosines).subspan(candidate * near, near);
  }
};

struct CandidateOptions {
  std::size_t by_csls = 25;
  std::size_t by_ngrams = 5;         // where spellings are looked at
  double least_ngram_cosine = 0.35;  // of these
  std::size_t neighbors = 10;        // k of CSLS
};

/// Gathers the candidates of words: the best by CSLS, the nearest by spelling, and the equal string.
class CandidateFinder {
 public:
  /// `spelling` may be nullptr: then only CSLS names candidates. All words of the space have a vocabulary.
  CandidateFinder(CommonSpace space, std::shared_ptr<const SpellingResources> spelling,
                  const CandidateOptions& options = {});

  /// words[i] belongs to row i of the vectors, which must live as long as the result is used.
  std::vector<WordCandidates> find(std::span<const AskingWord> words, ConstMatrixView vectors) const;
  /// The same where the best by CSLS are known already: options.by_csls of them, or all that there are.
  std::vector<WordCandidates> complete(std::span<const AskingWord> words, ConstMatrixView vectors,
                                       const Candidates& by_csls) const;
  /// The candidates by CSLS alone, `count` of them.
  Candidates by_csls(std::span<const AskingWord> words, ConstMatrixView vectors, std::size_t count) const;
  /// Those of words of the space, options.by_csls of each. The space remembers them for find(): who has judged a map by
  /// some words has ranked them for its re-ranker.
  Candidates by_csls(std::span<const WordId> words) const;
  /// Learns the CSLS statistics of all words, where so many queries make that less work than asking for each.
  void prepare(std::size_t queries) const;

  const CandidateOptions& options() const { return options_; }

 private:
  void add_by_spelling(WordCandidates& list, NgramIndex::Search& search) const;
  void set_query_means(std::span<WordCandidates> lists, ConstMatrixView vectors) const;
  void set_scores(WordCandidates& list, const BackwardLists& lists) const;

  CommonSpace space_;
  std::shared_ptr<const SpellingResources> spelling_;
  CandidateOptions options_;
  CslsStatistics* statistics_;  // of the space
};

}  // namespace wordbridge
