#pragma once
#include <optional>
#include <string>
#include <vector>

#include "evaluation/frequency_bands.h"
#include "evaluation/reliability.h"
#include "evaluation/spelling_groups.h"
#include "experiments/measurement_records.h"
#include "wordbridge/mapping.h"
#include "wordbridge/word_translation.h"

namespace wordbridge::cli {

/// Everything that was found out about one mapping.
struct MappingFindings {
  /// Word translation by one criterion.
  struct Translation {
    WordTranslation result;
    std::vector<FrequencyBand> bands;
  };

  std::string mapping, lexicon;  // their files; the lexicon's is empty where none was given
  std::string command;           // what to type to have this again
  Provenance provenance;
  std::vector<Translation> translations;  // the one to recommend last; empty without a lexicon
  std::string word_map;                   // a picture; empty: none
  std::optional<RerankAnalysis> rerank;
  std::optional<Reliability> reliability;
  std::vector<HubnessRecord> hubness;

  const WordTranslation& best() const { return translations.back().result; }
};

/// What to try next, the most promising first: sentences with the options to use.
std::vector<std::string> advice(const MappingFindings& findings);

/// All of it as one HTML file.
std::string mapping_page(const MappingFindings& findings);

}  // namespace wordbridge::cli
