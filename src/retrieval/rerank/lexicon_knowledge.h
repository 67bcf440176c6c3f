#pragma once
#include <memory>

#include "retrieval/rerank/spelling_model.h"
#include "retrieval/rerank/suffix_pairs.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {

/// What features know of a lexicon, beside vectors: for held-out words it is learned without them.
struct LexiconKnowledge {
  Lexicon pairs = {};
  std::shared_ptr<const SpellingModel> spelling_model = nullptr;  // nullptr: there are no cognates, or nobody asked
  std::shared_ptr<const SuffixPairs> suffixes = nullptr;
};

/// Learns it; no resources: without spelling. Suffixes go with the spelling model: where there are no cognates, equal
/// endings mean nothing.
LexiconKnowledge learn_from_lexicon(const Lexicon& pairs, const std::shared_ptr<const SpellingResources>& spelling);

/// From what a mapping stores. Pairs of words that are not in the vocabularies are left out.
LexiconKnowledge knowledge_of(const RerankModel& model, const CommonSpace& space,
                              const std::shared_ptr<const SpellingResources>& spelling);

/// Puts it where knowledge_of() finds it again.
void store_knowledge(const LexiconKnowledge& knowledge, const Vocabulary& source, const Vocabulary& target,
                     RerankModel& model);

}  // namespace wordbridge
