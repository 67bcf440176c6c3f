#pragma once
#include <span>
#include <string>

#include "cli/report/table.h"
#include "evaluation/frequency_bands.h"
#include "evaluation/paired_bootstrap.h"
#include "evaluation/spelling_groups.h"
#include "wordbridge/word_translation.h"

namespace wordbridge {

/// A row for each denominator.
Table to_table(const WordTranslation& result);
/// A row for each band: "1-1000", the number of words, precision and MRR over all of them.
Table to_table(std::span<const FrequencyBand> bands);
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

/// "P@1 62.6 -> 64.0: +1.4 (95% interval +0.3 to +2.5, p = 0.012); ..." in one line, with its end.
std::string to_text(const PairedBootstrap& comparison);
/// A JSON object on one line.
std::string to_json(const PairedBootstrap& comparison);

Table to_table(const RerankAnalysis& analysis);
/// A JSON object on one line: {"groups": [{"group", "words", "precision_at_1", "csls_precision_at_1"}], "comparison"}.
std::string to_json(const RerankAnalysis& analysis);

}  // namespace wordbridge
