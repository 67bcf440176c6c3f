#include "retrieval/rerank/reranked.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/option_error.h"
#include "parallel/thread_pool.h"
#include "retrieval/prepared/prepared_spelling.h"
#include "retrieval/rerank/lexicon_knowledge.h"
#include "retrieval/rerank/listwise.h"
#include "search/neighbor_search.h"
#include "space/common_space_state.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kBatchOfWords = 1024;
constexpr std::size_t kWordsAtOnce = 8192;  // for which candidates by CSLS are held
constexpr std::size_t kRankedOfTask = 16;

std::shared_ptr<const SpellingResources> spelling_of(const CommonSpace& space) {
  // The space must not own what owns the space: the resources hold vocabularies only.
  return space.state().shared<SpellingResources>(kSharedSpelling, [&] {
    return std::make_shared<SpellingResources>(space.vocabulary(Side::source), space.vocabulary(Side::target));
  });
}

void require_known(const RerankModel& model, const std::vector<std::string>& names) {
  for (const RerankModel::Feature& feature : model.features)
    if (std::ranges::count(names, feature.name) == 0)
      throw UsageError(
          fmt::format("the re-ranker of the mapping has a feature '{}', which is unknown here: give "
                      "another criterion",
                      feature.name));
}

void require_finite(std::span<const double> values) {
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
    throw Error(
        "the re-ranker of the mapping gives scores that are not finite: its weights are too large; give another "
        "criterion");
}

}  // namespace

/// The candidates of a word, best first.
struct Reranked::Ranking {
  std::vector<std::size_t> order;  // of candidates
  std::vector<double> probabilities;
  std::vector<double> translations;  // p_translation, by place in the order
  MatrixD values, standardized;      // features
};

Reranked::Reranked(CommonSpace space) : Reranked(space, space.reranker()) {}

Reranked::Reranked(CommonSpace space, std::shared_ptr<const RerankModel> model)
    : space_(std::move(space)), model_(std::move(model)) {
  if (!model_)
    throw OptionError("the mapping carries no re-ranker: align with " + OptionName("rerank") + " to learn one");
  const FeatureChoice choice = FeatureChoice::parse(model_->families);
  const auto spelling = choice.spelling ? spelling_of(space_) : nullptr;
  spelling_ = spelling;
  features_ = std::make_unique<const FeatureSet>(space_, spelling, knowledge_of(*model_, space_, spelling), choice);
  finder_ = std::make_unique<const CandidateFinder>(space_, spelling);
  const std::vector<std::string>& names = features_->names();
  require_known(*model_, names);
  std::vector<double> means(names.size()), deviations(names.size(), 1.0);
  weights_.resize(names.size());
  for (const RerankModel::Feature& feature : model_->features) {
    const auto column = static_cast<std::size_t>(std::ranges::find(names, feature.name) - names.begin());
    weights_[column] = feature.weight;
    means[column] = feature.mean;
    deviations[column] = feature.deviation;
  }
  standard_ = Standardization(std::move(means), std::move(deviations));
  terms_ = std::make_unique<const CalibrationTerms>(names);
  if (model_->calibration)
    if (const auto& terms = model_->calibration->terms;
        !std::ranges::equal(terms, terms_->names(), {}, &RerankModel::Calibration::Term::name))
      throw UsageError("the re-ranker of the mapping is calibrated by numbers that are unknown here");
  translation_terms_ = std::make_unique<const TranslationTerms>(names);
  const auto& translations = model_->translations;
  translations_ = std::make_unique<const TranslationModel>(translations ? *translations : shipped_translations(),
                                                           translation_terms_->names(), !translations);
}

Reranked::Ranking Reranked::rank(const WordCandidates& word) const {
  Ranking ranking;
  ranking.values = features_->compute(word);
  ranking.standardized = ranking.values;
  standard_.apply(ranking.standardized);
  const std::vector<double> scores = scores_of(ranking.standardized, weights_);
  require_finite(scores);
  if (const auto& calibration = model_->calibration; calibration && !scores.empty())
    ranking.probabilities = calibrated_probabilities(
        scores, first_probability(*calibration, terms_->values(scores, ranking.values)), calibration->elsewhere);
  else
    ranking.probabilities = softmax(scores);
  require_finite(ranking.probabilities);
  ranking.order.resize(scores.size());
  std::iota(ranking.order.begin(), ranking.order.end(), std::size_t{0});
  std::ranges::sort(ranking.order, [&](std::size_t a, std::size_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : word.targets[a] < word.targets[b];
  });
  ranking.translations = translation_probabilities(word, ranking, scores);
  return ranking;
}

/// Candidates that the question is not asked of are no likelier than the last one that it is asked of.
std::vector<double> Reranked::translation_probabilities(const WordCandidates& word, const Ranking& ranking,
                                                        std::span<const double> scores) const {
  std::vector<std::u32string_view> letters;
  if (spelling_)
    for (const WordId target : word.targets) letters.push_back(spelling_->answering_words[target]);
  const ConstMatrixView rows = space_.table(Side::target);
  const auto cosine = [&](std::size_t i, std::size_t j) {
    return static_cast<double>(
        exact_score(rows.row(word.targets[i]).data(), rows.row(word.targets[j]).data(), rows.cols()));
  };
  std::vector<double> probabilities = translations_->probabilities(
      translation_terms_->values({scores, ranking.order, ranking.values, letters, cosine}));
  require_finite(probabilities);
  for (std::size_t place = probabilities.size(); place < ranking.order.size(); ++place)
    probabilities.push_back(std::min(probabilities.back(), ranking.probabilities[ranking.order[place]]));
  return probabilities;
}

Candidates Reranked::best(ConstMatrixView, std::size_t) const {
  throw UsageError("re-ranking looks at words, not only at vectors: this needs another criterion");
}

Candidates Reranked::best_for(std::span<const AskingWord> words, ConstMatrixView queries, std::size_t count) const {
  require_dimension(queries, space_.state().rows(Side::target).unread());
  finder_->prepare(words.size());
  Candidates result{words.size(), std::min(count, space_.state().rows(Side::target).nonzero()), {}, {}};
  result.targets.resize(words.size() * result.found);
  result.scores.resize(words.size() * result.found);
  result.p_translation.resize(words.size() * result.found);
  Stage stage("re-ranking");
  for (std::size_t begin = 0; begin < words.size(); begin += kWordsAtOnce) {
    stage.update(begin, words.size());
    const std::size_t end = std::min(begin + kWordsAtOnce, words.size());
    rank_block(words.subspan(begin, end - begin), queries.slice(begin, end), begin, result);
  }
  return result;
}

/// Words of a result, from `first` on.
void Reranked::rank_block(std::span<const AskingWord> words, ConstMatrixView queries, std::size_t first,
                          Candidates& result) const {
  const Candidates by_csls = finder_->by_csls(words, queries, std::max(result.found, finder_->options().by_csls));
  const auto put = [&](std::size_t query, const WordCandidates& word, const Ranking& ranking) {
    std::size_t place = (first + query) * result.found;
    const std::size_t end = place + result.found;
    for (std::size_t i = 0; i < ranking.order.size() && place < end; ++i, ++place) {
      result.targets[place] = word.targets[ranking.order[i]];
      result.scores[place] = ranking.probabilities[ranking.order[i]];
      result.p_translation[place] = ranking.translations[i];
    }
    for (const WordId target : by_csls.targets_of(query))
      if (place < end && std::ranges::find(word.targets, target) == word.targets.end())
        result.targets[place++] = target;
  };
  for (std::size_t begin = 0; begin < words.size(); begin += kBatchOfWords) {
    const std::size_t end = std::min(begin + kBatchOfWords, words.size());
    Candidates part{end - begin, by_csls.found, {}, {}};
    const auto from = by_csls.targets.begin() + static_cast<std::ptrdiff_t>(begin * by_csls.found);
    part.targets.assign(from, from + static_cast<std::ptrdiff_t>((end - begin) * by_csls.found));
    auto lists = finder_->complete(words.subspan(begin, end - begin), queries.slice(begin, end), part);
    if (lists.size() > 1) features_->prepare(lists);
    ThreadPool::current().for_chunks(lists.size(), kRankedOfTask, [&](std::size_t from_list, std::size_t last, int) {
      for (std::size_t i = from_list; i < last; ++i) put(begin + i, lists[i], rank(lists[i]));
    });
  }
}

std::vector<Reranked::Explained> Reranked::explain(const AskingWord& word, std::span<const float> vector,
                                                   std::size_t count) const {
  const ConstMatrixView query(vector.data(), 1, vector.size());
  const WordCandidates candidates = std::move(finder_->find(std::span(&word, 1), query).front());
  const Ranking ranking = rank(candidates);
  std::vector<Explained> result;
  for (std::size_t place = 0; place < std::min(count, ranking.order.size()); ++place) {
    const std::size_t own = ranking.order[place];
    const std::size_t rival = ranking.order.size() < 2 ? own : ranking.order[place == 0 ? 1 : 0];
    Explained explained{candidates.targets[own], ranking.probabilities[own], candidates.targets[rival], {}};
    for (std::size_t j = 0; j < weights_.size(); ++j)
      explained.reasons.push_back({features_->names()[j], ranking.values(own, j),
                                   weights_[j] * (ranking.standardized(own, j) - ranking.standardized(rival, j))});
    std::ranges::stable_sort(explained.reasons, std::greater<>(),
                             [](const Reason& reason) { return std::abs(reason.contribution); });
    result.push_back(std::move(explained));
  }
  return result;
}

}  // namespace wordbridge
