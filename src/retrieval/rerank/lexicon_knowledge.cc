#include "retrieval/rerank/lexicon_knowledge.h"

#include <utility>
#include <vector>

namespace wordbridge {

namespace {

std::vector<SpellingModel::LetterPair> letters_of(const Lexicon& pairs, const SpellingResources& spelling) {
  std::vector<SpellingModel::LetterPair> letters;
  letters.reserve(pairs.size());
  for (const Lexicon::Pair& pair : pairs.pairs())
    letters.emplace_back(spelling.asking_words[pair.source], spelling.answering_words[pair.target]);
  return letters;
}

}  // namespace

LexiconKnowledge learn_from_lexicon(const Lexicon& pairs, const std::shared_ptr<const SpellingResources>& spelling) {
  LexiconKnowledge knowledge{pairs};
  if (!spelling) return knowledge;
  const auto letters = letters_of(pairs, *spelling);
  knowledge.spelling_model = SpellingModel::fit(letters, *spelling);
  if (knowledge.spelling_model) knowledge.suffixes = std::make_shared<const SuffixPairs>(letters, spelling->suffixes);
  return knowledge;
}

LexiconKnowledge knowledge_of(const RerankModel& model, const CommonSpace& space,
                              const std::shared_ptr<const SpellingResources>& spelling) {
  std::vector<Lexicon::Pair> pairs;
  std::vector<std::u32string> letters;  // of all pairs, in the vocabularies or not: endings need no vectors
  for (const RerankModel::Pair& pair : model.pairs) {
    const auto source = space.vocabulary(Side::source).find(pair.source);
    const auto target = space.vocabulary(Side::target).find(pair.target);
    if (source && target) pairs.push_back({*source, *target});
    if (spelling) {
      letters.push_back(normalized_spelling(pair.source));
      letters.push_back(normalized_spelling(pair.target));
    }
  }
  LexiconKnowledge knowledge{Lexicon(std::move(pairs))};
  if (!spelling || !model.spelling) return knowledge;
  knowledge.spelling_model = std::make_shared<const SpellingModel>(*model.spelling, *spelling);
  std::vector<SpellingModel::LetterPair> views;
  for (std::size_t i = 0; i + 1 < letters.size(); i += 2) views.emplace_back(letters[i], letters[i + 1]);
  knowledge.suffixes = std::make_shared<const SuffixPairs>(views, spelling->suffixes);
  return knowledge;
}

void store_knowledge(const LexiconKnowledge& knowledge, const Vocabulary& source, const Vocabulary& target,
                     RerankModel& model) {
  if (knowledge.spelling_model) model.spelling = knowledge.spelling_model->stored();
  model.pairs.reserve(knowledge.pairs.size());
  for (const Lexicon::Pair& pair : knowledge.pairs.pairs())
    model.pairs.push_back({std::string(source[pair.source]), std::string(target[pair.target])});
}

}  // namespace wordbridge
