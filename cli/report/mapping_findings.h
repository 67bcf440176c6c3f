#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluation/reliability.h"
#include "evaluation/word_groups.h"
#include "experiments/measurement_records.h"
#include "lexicon/lexicon_reader.h"
#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/mapping.h"
#include "wordbridge/word_translation.h"

namespace wordbridge::cli {

/// Where pairs of words lie in the common space, as an inline SVG picture (svg_chart.h says where its colors come
/// from): the plane in which these words differ most (their two principal directions), a line between the words of a
/// pair. Pairs whose words would be written over others are left out, the earlier ones win.
std::string word_map_svg(const CommonSpace& space, std::span<const Lexicon::Pair> pairs);

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

  /// Word translation by one more criterion; the one to recommend comes last, behind CSLS.
  void measure(const CommonSpace& space, const GoldLexicon& gold, const Criterion& criterion);
  /// What the translations say together: how much the re-ranker adds and where, whether its probabilities are true, and
  /// the picture of words. To be called behind the last measure(); `seed` is that of the paired bootstrap.
  void conclude(const CommonSpace& space, std::uint64_t seed);
  /// By nearest neighbor and by CSLS, asked for the first `queries` source words.
  void measure_hubness(const CommonSpace& space, std::size_t queries = 20'000);
};

/// What to try next, the most promising first: sentences with the options to use.
std::vector<std::string> advice(const MappingFindings& findings);

}  // namespace wordbridge::cli
