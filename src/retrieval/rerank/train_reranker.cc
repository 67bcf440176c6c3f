#include "retrieval/rerank/train_reranker.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "retrieval/rerank/calibration.h"
#include "retrieval/rerank/standardization.h"

namespace wordbridge {

namespace {

std::vector<std::size_t> best_first(std::span<const double> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return order;
}

/// Standardized examples of held-out words, and how weights are learned from them.
class Examples {
 public:
  Examples(const CrossFittedWords& held_out, const RerankOptions& options, bool large) : held_out_(held_out) {
    std::vector<const MatrixD*> tables;
    for (const CrossFittedWord& word : held_out.words) tables.push_back(&word.features);
    standard_ = Standardization::fit(tables);
    listwise_.l2 = options.l2;
    if (!large && !options.prior.empty()) draw_to(options);
    for (const CrossFittedWord& word : held_out.words) {
      all_.push_back({word.features, word.right});
      standard_.apply(all_.back().features);
    }
  }

  const RankingExample& operator[](std::size_t word) const { return all_[word]; }
  const Standardization& standardization() const { return standard_; }

  /// From the words of all groups but this one.
  std::vector<double> fit_without(std::optional<std::size_t> group) const {
    std::vector<const RankingExample*> used;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (held_out_.words[i].group != group) used.push_back(&all_[i]);
    return fit_listwise(used, held_out_.features.size(), listwise_);
  }

 private:
  /// Features that the prior does not know keep their own standardization, and are drawn to 0.
  void draw_to(const RerankOptions& options) {
    std::vector<double> means = standard_.means(), deviations = standard_.deviations();
    listwise_ = {.l2 = 0, .center = std::vector<double>(means.size()), .center_weight = options.prior_weight};
    for (const RerankModel::Feature& feature : options.prior) {
      const auto found = std::ranges::find(held_out_.features, feature.name);
      if (found == held_out_.features.end()) continue;
      const auto column = static_cast<std::size_t>(found - held_out_.features.begin());
      listwise_.center[column] = feature.weight;
      means[column] = feature.mean;
      deviations[column] = feature.deviation;
    }
    standard_ = Standardization(std::move(means), std::move(deviations));
  }

  const CrossFittedWords& held_out_;
  Standardization standard_;
  ListwiseOptions listwise_;
  std::vector<RankingExample> all_;
};

/// Ranks the words of each group by the weights of the others.
class OutOfGroup {
 public:
  OutOfGroup(const CrossFittedWords& held_out, const Examples& examples)
      : terms_(held_out.features),
        translation_terms_(held_out.features),
        spelling_(held_out.spelling),
        edit_column_(
            static_cast<std::size_t>(std::ranges::find(held_out.features, "edit") - held_out.features.begin())) {
    std::set<std::size_t> groups;
    for (const CrossFittedWord& word : held_out.words) groups.insert(word.group);
    for (const std::size_t group : groups) {
      const std::vector<double> weights = examples.fit_without(group);
      for (std::size_t i = 0; i < held_out.words.size(); ++i)
        if (held_out.words[i].group == group && examples[i].features.rows() > 0)
          add(held_out.words[i], scores_of(examples[i].features, weights));
    }
  }

  void fill(TrainedReranker& result) const {
    result.words = samples_.size();
    result.gained = gained_;
    result.lost = lost_;
    result.gained_alike = gained_alike_;
    result.lost_to_alike = lost_to_alike_;
    const double percent = 100 / static_cast<double>(std::max<std::size_t>(samples_.size(), 1));
    result.csls = percent * static_cast<double>(csls_right_);
    result.reranked = percent * static_cast<double>(csls_right_ + gained_ - lost_);
    result.several = percent / 100 * static_cast<double>(several_);
  }
  RerankModel::Calibration calibration() const { return fit_calibration(terms_.names(), samples_); }
  RerankModel::Translations translations(const TranslationFit& options) const {
    return fit_translations(translation_terms_.names(), translation_samples_, options);
  }

 private:
  void add(const CrossFittedWord& word, const std::vector<double>& scores) {
    const auto first = static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
    const bool right = word.right[first] != 0, by_csls = word.right.front() != 0;
    csls_right_ += by_csls;
    gained_ += right && !by_csls;
    lost_ += !right && by_csls;
    constexpr double kAlike = 0.5;  // edit similarity
    if (edit_column_ < word.features.cols() && word.features(first, edit_column_) > kAlike) {
      gained_alike_ += right && !by_csls;
      lost_to_alike_ += !right && by_csls;
    }
    const auto all_right = std::ranges::count_if(word.right, [](std::uint8_t flag) { return flag != 0; });
    samples_.push_back({terms_.values(scores, word.features), right, all_right > (right ? 1 : 0)});
    add_translations(word, scores);
  }

  void add_translations(const CrossFittedWord& word, const std::vector<double>& scores) {
    const std::vector<std::size_t> order = best_first(scores);
    std::vector<std::u32string_view> letters;
    if (spelling_)
      for (const WordId target : word.targets) letters.push_back(spelling_->answering_words[target]);
    RankedCandidates ranked{scores, order, word.features, letters, {}};
    if (!word.cosines.empty())
      ranked.cosine = [&](std::size_t i, std::size_t j) { return static_cast<double>(word.cosines(i, j)); };
    TranslationSample sample{translation_terms_.values(ranked), {}, word.known, word.group};
    for (std::size_t i = 0; i < sample.values.rows(); ++i) sample.right.push_back(word.right[order[i]]);
    several_ += word.known > 1;
    translation_samples_.push_back(std::move(sample));
  }

  CalibrationTerms terms_;
  std::vector<CalibrationSample> samples_;
  TranslationTerms translation_terms_;
  std::shared_ptr<const SpellingResources> spelling_;
  std::vector<TranslationSample> translation_samples_;
  std::size_t several_ = 0;
  std::size_t edit_column_;  // of the feature; beyond the last one where there is no such feature
  std::size_t csls_right_ = 0, gained_ = 0, lost_ = 0, gained_alike_ = 0, lost_to_alike_ = 0;
};

bool is_better(const TrainedReranker& result, const RerankOptions& options) {
  const double net = static_cast<double>(result.gained) - static_cast<double>(result.lost);
  return net > 0 && net >= options.least_evidence * std::sqrt(static_cast<double>(result.gained + result.lost));
}

bool has_learned_spelling(const RerankModel& model) {
  return std::ranges::any_of(model.features,
                             [](const RerankModel::Feature& feature) { return feature.name.starts_with("cognate"); });
}

/// What the features must know of the whole lexicon when the model is used; absent where a feature finds nothing there.
std::optional<LexiconKnowledge> knowledge_for(const RerankModel& model, const Lexicon& lexicon,
                                              const std::shared_ptr<const SpellingResources>& spelling) {
  if (!has_learned_spelling(model)) return LexiconKnowledge{lexicon};
  LexiconKnowledge knowledge = learn_from_lexicon(lexicon, spelling);
  if (!knowledge.spelling_model) return std::nullopt;
  return knowledge;
}

}  // namespace

bool wants_transferred(const TrainedReranker& trained, std::size_t lexicon_words) {
  constexpr std::size_t kSmallLexicon = 1000;
  if (lexicon_words >= (trained.model ? kSmallLexicon : RerankOptions().large_lexicon)) return false;
  const double lost = static_cast<double>(trained.lost) - static_cast<double>(trained.gained);
  return lost <= std::sqrt(static_cast<double>(trained.gained + trained.lost));
}

TrainedReranker train_on(const CrossFittedWords& held_out, std::size_t lexicon_words, const RerankOptions& options) {
  TrainedReranker result;
  const bool large = lexicon_words >= options.large_lexicon;
  const Examples examples(held_out, options, large);
  const OutOfGroup out_of_group(held_out, examples);
  out_of_group.fill(result);
  if (!is_better(result, options)) return result;
  const std::vector<double> weights = examples.fit_without(std::nullopt);
  RerankModel model{.families = options.features, .features = {}};
  for (std::size_t j = 0; j < weights.size(); ++j)
    model.features.push_back({held_out.features[j], weights[j], examples.standardization().means()[j],
                              examples.standardization().deviations()[j]});
  if (large) model.calibration = out_of_group.calibration();
  result.one_translation = result.several < options.least_several;
  if (!result.one_translation)
    model.translations = out_of_group.translations(
        large ? TranslationFit{}
              : TranslationFit{.center = options.translations_prior, .prior = options.translations_prior_weight});
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
  if (choice.spelling) spelling = std::make_shared<const SpellingResources>(problem.source, problem.target);
  TrainedReranker result =
      train_on(cross_fit(problem, folds, spelling, choice), problem.lexicon.source_words().size(), options);
  if (!result.model) return result;
  RerankModel model = *result.model;
  result.model = nullptr;
  if (const auto knowledge = knowledge_for(model, problem.lexicon, spelling)) {
    store_knowledge(*knowledge, problem.source, problem.target, model);
    result.model = std::make_shared<const RerankModel>(std::move(model));
  }
  return result;
}

}  // namespace wordbridge
