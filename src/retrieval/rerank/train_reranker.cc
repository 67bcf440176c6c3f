#include "retrieval/rerank/train_reranker.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "retrieval/rerank/calibration.h"
#include "retrieval/rerank/standardization.h"

namespace wordbridge {

namespace {

/// Standardized examples of held-out words, by fold.
struct Examples {
  Standardization standard;
  std::vector<RankingExample> all;

  explicit Examples(const CrossFittedWords& held_out) {
    std::vector<const MatrixD*> tables;
    for (const CrossFittedWord& word : held_out.words) tables.push_back(&word.features);
    standard = Standardization::fit(tables);
    for (const CrossFittedWord& word : held_out.words) {
      all.push_back({word.features, word.right});
      standard.apply(all.back().features);
    }
  }
};

std::vector<double> fit_without(const Examples& examples, const CrossFittedWords& held_out,
                                std::optional<std::size_t> fold, const RerankOptions& options) {
  std::vector<const RankingExample*> used;
  for (std::size_t i = 0; i < examples.all.size(); ++i)
    if (held_out.words[i].fold != fold) used.push_back(&examples.all[i]);
  return fit_listwise(used, held_out.features.size(), {.l2 = options.l2});
}

/// Ranks the words of each fold by the weights of the others.
class OutOfFold {
 public:
  OutOfFold(const CrossFittedWords& held_out, const Examples& examples, const RerankOptions& options)
      : terms_(held_out.features) {
    std::set<std::size_t> folds;
    for (const CrossFittedWord& word : held_out.words) folds.insert(word.fold);
    for (const std::size_t fold : folds) {
      const std::vector<double> weights = fit_without(examples, held_out, fold, options);
      for (std::size_t i = 0; i < held_out.words.size(); ++i)
        if (held_out.words[i].fold == fold && examples.all[i].features.rows() > 0)
          add(held_out.words[i], scores_of(examples.all[i].features, weights));
    }
  }

  void fill(TrainedReranker& result) const {
    result.words = samples_.size();
    result.gained = gained_;
    result.lost = lost_;
    const double percent = 100 / static_cast<double>(std::max<std::size_t>(samples_.size(), 1));
    result.csls = percent * static_cast<double>(csls_right_);
    result.reranked = percent * static_cast<double>(csls_right_ + gained_ - lost_);
  }
  RerankModel::Calibration calibration() const { return fit_calibration(terms_.names(), samples_); }

 private:
  void add(const CrossFittedWord& word, const std::vector<double>& scores) {
    const auto first = static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
    const bool right = word.right[first] != 0, by_csls = word.right.front() != 0;
    csls_right_ += by_csls;
    gained_ += right && !by_csls;
    lost_ += !right && by_csls;
    const auto all_right = std::ranges::count_if(word.right, [](std::uint8_t flag) { return flag != 0; });
    samples_.push_back({terms_.values(scores, word.features), right, all_right > (right ? 1 : 0)});
  }

  CalibrationTerms terms_;
  std::vector<CalibrationSample> samples_;
  std::size_t csls_right_ = 0, gained_ = 0, lost_ = 0;
};

bool is_better(const TrainedReranker& result, const RerankOptions& options) {
  const double net = static_cast<double>(result.gained) - static_cast<double>(result.lost);
  return net > 0 && net >= options.least_evidence * std::sqrt(static_cast<double>(result.gained + result.lost));
}

/// Adds what the features must know of the lexicon when the model is used; false where there is no such knowledge.
bool store_knowledge(const RerankProblem& problem, const std::shared_ptr<const SpellingResources>& spelling,
                     RerankModel& model) {
  const bool learned = std::ranges::any_of(
      model.features, [](const RerankModel::Feature& feature) { return feature.name.starts_with("cognate"); });
  if (learned) {
    const LexiconKnowledge knowledge = learn_from_lexicon(problem.lexicon, spelling);
    if (!knowledge.spelling_model) return false;
    model.spelling = knowledge.spelling_model->stored();
  }
  for (const Lexicon::Pair& pair : problem.lexicon.pairs())
    model.pairs.push_back(
        {std::string(problem.source.vocabulary()[pair.source]), std::string(problem.target.vocabulary()[pair.target])});
  return true;
}

}  // namespace

TrainedReranker train_on(CrossFittedWords held_out, const RerankOptions& options) {
  TrainedReranker result;
  const Examples examples(held_out);
  const OutOfFold out_of_fold(held_out, examples, options);
  out_of_fold.fill(result);
  if (!is_better(result, options)) return result;
  const std::vector<double> weights = fit_without(examples, held_out, std::nullopt, options);
  RerankModel model{.families = options.features, .features = {}};
  for (std::size_t j = 0; j < weights.size(); ++j)
    model.features.push_back(
        {held_out.features[j], weights[j], examples.standard.means()[j], examples.standard.deviations()[j]});
  if (result.words >= options.calibrate_from) model.calibration = out_of_fold.calibration();
  result.model = std::make_shared<const RerankModel>(std::move(model));
  return result;
}

TrainedReranker train_reranker(const RerankProblem& problem, const RerankOptions& options) {
  const FeatureChoice choice = FeatureChoice::parse(options.features);
  const std::vector<Fold> folds = make_folds(problem.lexicon, options.folds);
  std::size_t words = 0;
  for (const Fold& fold : folds) words += fold.held_out.source_words().size();
  if (words < options.fewest_words) return {};
  std::shared_ptr<const SpellingResources> spelling;
  if (choice.spelling)
    spelling = std::make_shared<const SpellingResources>(problem.source.vocabulary(), problem.target.vocabulary());
  TrainedReranker result = train_on(cross_fit(problem, folds, spelling, choice), options);
  if (!result.model) return result;
  RerankModel model = *result.model;
  const bool stored = store_knowledge(problem, spelling, model);
  result.model = stored ? std::make_shared<const RerankModel>(std::move(model)) : nullptr;
  return result;
}

}  // namespace wordbridge
