#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/word_translation.h"

namespace wordbridge {

class WordForms;

/// A source word of a test, and what was found for it.
struct JudgedWord {
  std::vector<WordId> known;          // its translations in the target vocabulary, ascending; none: it is not covered
  std::vector<WordId> candidates;     // best first; none for words without a vector
  std::vector<double> probabilities;  // p_translation of each
};

struct EntryScoreOptions {
  std::size_t samples = 1000;  // of the bootstrap
  std::uint64_t seed = 1;
};

/// `all`: source words of the test, covered or not; `forms` may be nullptr: then nothing is a form of something else.
EntryScores evaluate_entries(std::span<const JudgedWord> words, std::size_t all, const WordForms* forms,
                             const EntryBalance& balance, const EntryScoreOptions& options = {});

/// {"precision": {"value", "low", "high"}, "recall", "f1", "average_precision", "recall_at_80", "threshold",
/// "expected":
/// {...}, "by_translations": [...], "calibration": {...}, "first_right", "first_right_in_any_form"}
std::string to_json(const EntryScores& scores);
/// The inverse, but for digits that to_json() rounds. std::runtime_error for what it did not write.
EntryScores parse_entry_scores(std::string_view json);

}  // namespace wordbridge
