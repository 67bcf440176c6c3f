#pragma once
#include <span>
#include <string>

#include "cli/report/table.h"
#include "wordbridge/hubness.h"

namespace wordbridge {

/// A row for each criterion: skewness, the largest N_k, the share of targets that nobody chooses.
Table to_table(std::span<const Hubness> results);

/// A row for each hub: the word, its N_k, words that choose it.
Table hubs_table(const Hubness& result, const Vocabulary& source, const Vocabulary& target);

/// [{"criterion": "nn", "k": 10, "skewness": ..., "largest": ..., "never_percent": ..., "histogram": [{"occurrences":
/// "2-3", "targets": 5}], "hubs": [{"word", "occurrences", "chosen_by": [...]}]}]
std::string to_json(std::span<const Hubness> results, const Vocabulary& source, const Vocabulary& target);

}  // namespace wordbridge
