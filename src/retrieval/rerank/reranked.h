#pragma once
#include <memory>
#include <string>
#include <vector>

#include "retrieval/rerank/calibration.h"
#include "retrieval/rerank/candidates.h"
#include "retrieval/rerank/feature_set.h"
#include "retrieval/rerank/standardization.h"
#include "retrieval/rerank/translation_model.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

/// "rerank": the candidates of a word by the probability that they are its translations, as the re-ranker of the
/// mapping sees it. What is left to 1 is the probability that none of them is.
class Reranked final : public Criterion {
 public:
  /// UsageError where the space carries no re-ranker, or one with features that are not known here.
  explicit Reranked(CommonSpace space);
  /// The same with another re-ranker than that of the space.
  Reranked(CommonSpace space, std::shared_ptr<const RerankModel> model);

  std::string name() const override { return "rerank"; }
  /// UsageError: vectors without words cannot be re-ranked.
  Candidates best(ConstMatrixView queries, std::size_t count) const override;
  /// Beyond its candidates come the next ones by CSLS, with probability 0.
  Candidates best_for(std::span<const AskingWord> words, ConstMatrixView queries, std::size_t count) const override;

  /// Why a candidate stands where it does.
  struct Reason {
    std::string feature;
    double value;         // not standardized
    double contribution;  // weight times standardized value, less that of the rival: above 0 it spoke for it
  };
  struct Explained {
    WordId target;
    double probability;
    WordId rival;                 // the best other candidate
    std::vector<Reason> reasons;  // the weightiest first; they sum up to the difference of the scores
  };
  /// The `count` best candidates of a word, or all that are ranked.
  std::vector<Explained> explain(const AskingWord& word, std::span<const float> vector, std::size_t count) const;

 private:
  struct Ranking;
  Ranking rank(const WordCandidates& word) const;
  std::vector<double> translation_probabilities(const WordCandidates& word, const Ranking& ranking,
                                                std::span<const double> scores) const;
  void rank_block(std::span<const AskingWord> words, ConstMatrixView queries, std::size_t first,
                  Candidates& result) const;

  CommonSpace space_;
  std::shared_ptr<const RerankModel> model_;
  std::unique_ptr<const FeatureSet> features_;
  std::unique_ptr<const CandidateFinder> finder_;
  std::unique_ptr<const CalibrationTerms> terms_;
  std::unique_ptr<const TranslationTerms> translation_terms_;
  std::unique_ptr<const TranslationModel> translations_;
  std::shared_ptr<const SpellingResources> spelling_;
  std::vector<double> weights_;  // by column of the features
  Standardization standard_;
};

}  // namespace wordbridge
