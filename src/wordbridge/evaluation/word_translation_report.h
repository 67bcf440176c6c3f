#pragma once
#include <string>

#include "wordbridge/evaluation/word_translation.h"

namespace wordbridge {

/// A table with a row for each denominator, then the coverage in one line.
std::string to_text(const WordTranslation& result);
std::string to_markdown(const WordTranslation& result);

/// {"precision": {"all": {"1": 64.0, "5": ..., "10": ...}, "covered": {...}}, "mrr_at_10": ..., "mrr_at_10_covered":
/// ..., "coverage": ..., "criterion": "csls", "words": {"all": ..., "covered": ...}, "lexicon": {...}}; shares in
/// percent, mrr_at_10 over all source words.
std::string to_json(const WordTranslation& result);

/// A line with headings and one a source word, tab-separated: source, status (right: the best one is a gold target;
/// wrong; uncovered), rank, gold, predictions, scores; lists are joined by " | ".
std::string to_tsv(const WordTranslation& result);

}  // namespace wordbridge
