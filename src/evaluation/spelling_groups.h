#pragma once
#include <string>
#include <vector>

#include "evaluation/paired_bootstrap.h"
#include "wordbridge/word_translation.h"

namespace wordbridge {

/// The source words of a test by how much spelling could help to translate them.
struct SpellingGroup {
  std::string name;                // for people
  std::string key;                 // in JSON
  WordTranslation::Shares shares;  // over all words of the group, covered or not
};

/// Words with a gold translation that is the same string; all others; of these, words with one whose normalized
/// spelling is more than half the same (edit similarity above 0.5), and words without.
std::vector<SpellingGroup> by_spelling(const WordTranslation& result);

/// How a re-ranker does where, beside CSLS in the same mapping.
struct RerankAnalysis {
  std::vector<SpellingGroup> reranked, csls;
  PairedBootstrap comparison;  // CSLS first

  /// It has more words right than CSLS, but none more of those whose translations are not written alike.
  bool gains_by_spelling_alone() const;
};
/// Both over the same words; UsageError otherwise.
RerankAnalysis analyze_reranked(const WordTranslation& reranked, const WordTranslation& csls,
                                const BootstrapOptions& options = {});

}  // namespace wordbridge
