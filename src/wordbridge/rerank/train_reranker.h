#pragma once
#include <memory>
#include <optional>

#include "wordbridge/rerank/cross_fitting.h"
#include "wordbridge/rerank/listwise.h"
#include "wordbridge/rerank/shipped_weights.h"

namespace wordbridge {

struct RerankOptions {
  std::string features = "all";  // FeatureChoice
  FoldOptions folds = {};
  double l2 = 3e-3;
  /// Weights of other languages, with their means and deviations, which those of a small lexicon are drawn to.
  std::span<const RerankModel::Feature> prior = shipped_weights();
  double prior_weight = 0.03;        // in place of l2
  std::size_t prior_below = 3000;    // source words of the lexicon
  std::size_t fewest_words = 20;     // of the lexicon, held out; with fewer there is nothing to learn from
  std::size_t calibrate_from = 300;  // held-out words; with fewer the softmax is the probability
  double least_evidence = 1;         // how many standard errors above CSLS it must be on held-out words
};

/// A re-ranker, or why there is none.
struct TrainedReranker {
  std::shared_ptr<const RerankModel> model = nullptr;  // nullptr: held-out words are not better off with one
  std::size_t words = 0;                               // held out, that is: each ranked by weights of other folds
  double csls = 0, reranked = 0;                       // P@1 on these, in percent
  std::size_t gained = 0, lost = 0;                    // words that only the re-ranker, only CSLS has right
};

/// Learns weights on words that were held out of maps and features (cross_fitting.h), and compares it on them, fold by
/// fold, with CSLS in the same maps.
TrainedReranker train_reranker(const RerankProblem& problem, const RerankOptions& options = {});

/// The same from words that are held out already: what is left is to weigh their features. The model lacks what
/// features know of the lexicon. The prior is used wherever there is one.
TrainedReranker train_on(const CrossFittedWords& held_out, const RerankOptions& options);

}  // namespace wordbridge
