#pragma once
#include <memory>
#include <optional>

#include "retrieval/rerank/cross_fitting.h"
#include "retrieval/rerank/listwise.h"
#include "retrieval/rerank/shipped_weights.h"
#include "retrieval/rerank/translation_model.h"

namespace wordbridge {

struct RerankOptions {
  std::string features = "all";  // FeatureChoice
  FoldOptions folds = {};
  double l2 = 3e-3;
  /// Source words from which a lexicon can stand alone: weights have no prior, and probabilities are calibrated. The
  /// words of smaller ones are too frequent to tell how sure one can be of others.
  std::size_t large_lexicon = 3000;
  /// Weights of other languages, with their means and deviations, which those of smaller lexicons are drawn to.
  std::span<const RerankModel::Feature> prior = shipped_weights();
  double prior_weight = 0.03;  // in place of l2
  /// What those of "is it a translation?" are drawn to where the lexicon is not large, and how strongly.
  const RerankModel::Translations* translations_prior = &shipped_translations();
  double translations_prior_weight = 50;
  /// Share of held-out words with two known translations or more, below which a lexicon does not show what second ones
  /// look like: all but one would count as wrong.
  double least_several = 0.05;
  std::size_t fewest_words = 20;  // held out; with fewer there is nothing to learn from
  double least_evidence = 1;      // how many standard errors above CSLS it must be on held-out words
};

/// A re-ranker, or why there is none.
struct TrainedReranker {
  std::shared_ptr<const RerankModel> model = nullptr;  // nullptr: held-out words are not better off with one
  std::size_t words = 0;                               // held out, that is: each ranked by weights of other groups
  double csls = 0, reranked = 0;                       // P@1 on these, in percent
  std::size_t gained = 0, lost = 0;                    // words that only the re-ranker, only CSLS has right
  /// Of those, the ones for which the re-ranker chose a word that is written alike.
  std::size_t gained_alike = 0, lost_to_alike = 0;

  double several = 0;  // share of the held-out words that have two known translations or more
  /// "Is it a translation?" could not be learned: (nearly) every word has one translation in the lexicon.
  bool one_translation = false;

  bool gains_by_spelling_alone() const { return gained > lost && gained - gained_alike <= lost - lost_to_alike; }
};

/// Whether weights of other languages are to take the place of what was learned: where the lexicon is small, or nothing
/// could be learned from it though it is not large, unless held-out words speak against them. A few frequent words do
/// not show what a re-ranker is good for.
bool wants_transferred(const TrainedReranker& trained, std::size_t lexicon_words);

/// Learns weights on words that were held out of maps and features (cross_fitting.h), and compares it on them, group
/// by group, with CSLS in the same maps.
TrainedReranker train_reranker(const RerankProblem& problem, const RerankOptions& options = {});

/// The same from words that are held out already: what is left is to weigh their features. The model lacks what
/// features know of the lexicon, which has so many source words.
TrainedReranker train_on(const CrossFittedWords& held_out, std::size_t lexicon_words,
                         const RerankOptions& options = {});

}  // namespace wordbridge
