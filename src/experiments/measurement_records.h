#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/analogy.h"
#include "evaluation/reliability.h"
#include "evaluation/similarity.h"
#include "wordbridge/hubness.h"
#include "wordbridge/word_translation.h"

namespace wordbridge {

// What a cache keeps of measurements: JSON files. parse() gives nothing for a text that is none of its kind, which is
// then measured again.

struct TranslationRecord {
  double precision_at_1 = 0;                          // percent of all source words
  std::size_t words = 0, covered = 0;                 // source words of the lexicon
  std::vector<ConfidentTranslation> right, wrong;     // the surest of each
  std::optional<EntryScores> entries = std::nullopt;  // where it was re-ranked

  /// One of translation_scores(); UsageError where there are no entries and it is one of theirs.
  double score(const std::string& name) const;
};
/// What a cell of translations may measure: "p@1", and of entries "f1", "precision", "recall", "average-precision",
/// "recall-at-80", "calibration-error", "p@1-any-form".
std::vector<std::string> translation_scores();
/// The whole result and its surest translations.
std::string to_record(const WordTranslation& result);
TranslationRecord record_of(const WordTranslation& result);
std::optional<TranslationRecord> parse_translation_record(std::string_view text);

/// Hubness by one criterion, words in the place of their numbers.
struct HubnessRecord {
  struct Bin {
    std::string occurrences;  // "2-3"
    std::size_t targets = 0;
  };
  std::string criterion;
  std::size_t source_words = 0;
  double skewness = 0;
  std::size_t largest = 0;
  double never_percent = 0;
  std::vector<Bin> histogram;
  std::vector<std::string> hubs;
};
std::string to_record(std::span<const Hubness> results, const Vocabulary& source, const Vocabulary& target);
HubnessRecord record_of(const Hubness& result, const Vocabulary& target);
std::optional<std::vector<HubnessRecord>> parse_hubness_record(std::string_view text);

struct AnalogyRecord {
  struct Part {
    std::size_t questions = 0, covered = 0;
    double accuracy = 0;  // percent of the covered ones
  };
  Part semantic, syntactic, total;

  /// By its name; UsageError for a name that is none.
  const Part& part(const std::string& name) const;
};
std::string to_record(const Analogies& result);
std::optional<AnalogyRecord> parse_analogy_record(std::string_view text);

struct SimilarityRecord {
  std::size_t pairs = 0, found = 0;
  std::optional<double> spearman, pearson;

  /// By its name; UsageError for a name that is none.
  std::optional<double> correlation(const std::string& name) const;
};
std::string to_record(const Similarity& result);
std::optional<SimilarityRecord> parse_similarity_record(std::string_view text);

}  // namespace wordbridge
