#pragma once
#include <span>
#include <string>

#include "wordbridge/evaluation/frequency_bands.h"
#include "wordbridge/evaluation/paired_bootstrap.h"
#include "wordbridge/evaluation/spelling_groups.h"
#include "wordbridge/evaluation/table.h"
#include "wordbridge/evaluation/word_translation.h"

namespace wordbridge {

/// A row for each denominator.
Table to_table(const WordTranslation& result);
/// The criterion and the coverage in one line, with its end.
std::string coverage_line(const WordTranslation& result);

/// {"precision": {"all": {"1": 64.0, "5": ..., "10": ...}, "covered": {...}}, "mrr_at_10": ..., "mrr_at_10_covered":
/// ..., "coverage": ..., "criterion": "csls", "words": {"all": ..., "covered": ...}, "lexicon": {...}}; shares in
/// percent, mrr_at_10 over all source words. Where given, "bands": [{"first", "last", "words", "covered", "precision",
/// "mrr_at_10"}], "comparison" with another mapping, and "rerank" with CSLS in the same one.
std::string to_json(const WordTranslation& result, std::span<const FrequencyBand> bands = {},
                    const PairedBootstrap* comparison = nullptr, const RerankAnalysis* analysis = nullptr);

/// A line with headings and one a source word, tab-separated: source, status (right: the best one is a gold target;
/// wrong; uncovered), rank, gold, predictions, scores; lists are joined by " | ".
std::string to_tsv(const WordTranslation& result);

}  // namespace wordbridge
