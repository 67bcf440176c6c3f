#include "retrieval/rerank/transferred_reranker.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "linalg/rows.h"
#include "retrieval/rerank/feature_set.h"
#include "retrieval/rerank/reranked.h"
#include "space/common_space_state.h"
#include "wordbridge/induce_lexicon.h"

namespace wordbridge {

namespace {

class Transfer {
 public:
  Transfer(const CommonSpace& space, const Lexicon& known, const TransferOptions& options)
      : space_(space),
        known_(known),
        known_words_(known.source_words()),
        options_(options),
        choice_(FeatureChoice::parse(options.features)) {
    if (choice_.spelling)
      spelling_ =
          std::make_shared<const SpellingResources>(space.vocabulary(Side::source), space.vocabulary(Side::target));
  }

  /// The known pairs and those of other words that are each other's best by CSLS.
  Lexicon mutual_pairs() const {
    const InductionOptions induction{.direction = InductionDirection::intersection, .last_word = options_.words};
    std::vector<Lexicon::Pair> found;
    for (const InducedPair& pair : induce_lexicon(space_, induction)) found.push_back({pair.source, pair.target});
    return with_known(found);
  }

  /// The known pairs and the first translations of other words, as far as the model is sure of them.
  Lexicon sure_pairs(const std::shared_ptr<const RerankModel>& model) const {
    const UnitRows& rows = space_.state().rows(Side::source);
    std::vector<AskingWord> words;
    std::vector<WordId> ids;
    for (WordId word = 0; word < std::min(options_.words, rows.size()); ++word) {
      if (rows.is_zero(word)) continue;
      words.push_back({space_.vocabulary(Side::source)[word], word});
      ids.push_back(word);
    }
    const Matrix vectors = gather_rows(rows.rows(), ids);
    const Candidates best = Reranked(space_, model).best_for(words, vectors, 1);
    std::vector<Lexicon::Pair> found;
    for (std::size_t i = 0; i < ids.size() && best.found > 0; ++i)
      if (best.scores[i] >= options_.surest) found.push_back({ids[i], best.targets[i]});
    return with_known(found);
  }

  /// nullptr where the pairs have no cognates, or where spelling says nothing of them.
  std::shared_ptr<const RerankModel> model(const Lexicon& pairs) const {
    if (objection_to_spelling(pairs, space_.vocabulary(Side::source), space_.vocabulary(Side::target))) return nullptr;
    const LexiconKnowledge knowledge = learn_from_lexicon(pairs, spelling_);
    if (!knowledge.spelling_model) return nullptr;
    const std::vector<std::string> names = FeatureSet(space_, spelling_, knowledge, choice_).names();
    RerankModel model{.families = options_.features, .features = {}};
    for (const RerankModel::Feature& feature : options_.weights)
      if (std::ranges::find(names, feature.name) != names.end()) model.features.push_back(feature);
    store_knowledge(knowledge, space_.vocabulary(Side::source), space_.vocabulary(Side::target), model);
    return std::make_shared<const RerankModel>(std::move(model));
  }

 private:
  Lexicon with_known(std::span<const Lexicon::Pair> found) const {
    std::vector<Lexicon::Pair> pairs(known_.pairs().begin(), known_.pairs().end());
    for (const Lexicon::Pair& pair : found)
      if (!std::ranges::binary_search(known_words_, pair.source)) pairs.push_back(pair);
    return Lexicon(std::move(pairs));
  }

  const CommonSpace& space_;
  const Lexicon& known_;
  std::vector<WordId> known_words_;
  const TransferOptions& options_;
  FeatureChoice choice_;
  std::shared_ptr<const SpellingResources> spelling_;
};

}  // namespace

std::vector<RerankModel::Pair> found_by_map(const CommonSpace& space, std::size_t words) {
  const InductionOptions induction{.direction = InductionDirection::intersection, .last_word = words};
  std::vector<RerankModel::Pair> pairs;
  for (const InducedPair& pair : induce_lexicon(space, induction))
    pairs.push_back({std::string(space.vocabulary(Side::source)[pair.source]),
                     std::string(space.vocabulary(Side::target)[pair.target])});
  return pairs;
}

std::shared_ptr<const RerankModel> transfer_reranker(const CommonSpace& space, const Lexicon& known,
                                                     const TransferOptions& options) {
  if (known.empty() && objection_to_spelling(space.vocabulary(Side::source), space.vocabulary(Side::target)))
    return nullptr;
  const Transfer transfer(space, known, options);
  const auto first = transfer.model(transfer.mutual_pairs());
  if (!first) return nullptr;
  const auto second = transfer.model(transfer.sure_pairs(first));
  return second ? second : first;
}

}  // namespace wordbridge
