#pragma once
#include <optional>
#include <span>
#include <string>

#include "cli/report/table.h"
#include "evaluation/statistics.h"
#include "evaluation/word_groups.h"
#include "wordbridge/word_translation.h"

namespace wordbridge {

/// Word translation by one of several mappings.
struct MeasuredTranslation {
  std::string mapping;  // its file
  WordTranslation result;
  std::optional<PairedBootstrap> difference = std::nullopt;  // to the first mapping
  std::optional<RerankAnalysis> analysis = std::nullopt;     // of the first mapping, where it was re-ranked
};

/// A row for each denominator.
Table to_table(const WordTranslation& result);
/// A row for each band: "1-1000", the number of words, precision and MRR over all of them.
Table to_table(std::span<const FrequencyBand> bands);
/// A row for the words with one, two, three, four or more translations, and one for all.
Table to_table(const EntryScores& scores);
/// From which probability on, with intervals, what was expected, and the measures that do not depend on it; in one
/// line, with its end.
std::string entries_line(const EntryScores& scores);
/// The criterion and the coverage in one line, with its end.
std::string coverage_line(const WordTranslation& result);

/// The object of evaluation/result_json.h for the first mapping; where given, with "bands": [{"first", "last", "words",
/// "covered", "precision", "mrr_at_10"}]; where there are several mappings, with "comparisons": [{"mapping",
/// "criterion", "precision", "mrr_at_10", "words", "first", "second", "difference", "low", "high", "p_value",
/// "only_first", "only_second", "samples"}] of the others with the first; with "rerank" where the first one was
/// compared with CSLS in the same mapping.
std::string to_json(std::span<const MeasuredTranslation> results, std::span<const FrequencyBand> bands = {});

/// A line with headings and one a source word, tab-separated: source, status (right: the best one is a gold target;
/// wrong; uncovered), rank, gold, predictions, scores and, where there are, p_translation; lists are joined by " | ".
std::string to_tsv(const WordTranslation& result);

/// A row for each mapping: precision over all source words and, from the second on, how its P@1 differs from the first
/// one's, the interval and the p-value of the difference, and how many words only one of the two has right.
Table comparison_table(std::span<const MeasuredTranslation> results);
/// What its numbers are, in one line, with its end.
std::string comparison_note(std::span<const MeasuredTranslation> results);

Table to_table(const RerankAnalysis& analysis);
/// "against csls in the same mapping: P@1 62.6 -> 64.0: +1.4 (95% interval +0.3 to +2.5, p = 0.0123); ...", with its
/// end.
std::string comparison_line(const RerankAnalysis& analysis);
/// A JSON object on one line: {"groups": [{"group", "words", "precision_at_1", "csls_precision_at_1"}], "comparison"}.
std::string to_json(const RerankAnalysis& analysis);

}  // namespace wordbridge
