#pragma once
#include <string>

#include "wordbridge/hubness.h"
#include "wordbridge/word_translation.h"

namespace wordbridge {

// Results as JSON objects, each on one line: what --json prints and what experiments keep. Measures are rounded to six
// decimals, bytes that are not UTF-8 become U+FFFD.

/// {"precision": {"all": {"1": 64.0, "5": ..., "10": ...}, "covered": {...}}, "mrr_at_10": ..., "mrr_at_10_covered":
/// ..., "coverage": ..., "criterion": "csls", "words": {"all": ..., "covered": ...}, "lexicon": {...}}; shares in
/// percent, mrr_at_10 over all source words.
std::string to_json(const WordTranslation& result);

/// {"1": 64.0, "5": ..., "10": ...}
std::string to_json(const WordTranslation::Shares& shares);

/// {"criterion", "k", "source_words", "targets", "skewness", "largest", "never_percent", "histogram": [{"occurrences":
/// "2-3", "targets"}], "hubs": [{"word", "occurrences", "chosen_by": [...]}]}
std::string to_json(const Hubness& result, const Vocabulary& source, const Vocabulary& target);

}  // namespace wordbridge
