#pragma once
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/criterion.h"
#include "wordbridge/vocabulary.h"

namespace [[gnu::visibility("default")]] wordbridge {

/// Which side asks for translations.
enum class InductionDirection {
  source_to_target,  // each source word's best targets
  target_to_source,  // each target word's best sources
  intersection,      // pairs that both sides name
  either,            // pairs that one side names at least
};

/// "source-to-target", "target-to-source", "intersection" or "union"; UsageError for anything else.
InductionDirection parse_direction(std::string_view name);
std::string_view to_string(InductionDirection direction);

struct InductionOptions {
  std::string criterion = "csls";
  CriterionOptions criterion_options = {};
  InductionDirection direction = InductionDirection::source_to_target;
  std::size_t count = 1;       // best translations of each word that are looked at
  std::size_t first_word = 0;  // frequency range: only words with rank in [first_word, last_word) ask and answer
  std::size_t last_word = 0;   // 0: to the end
  double threshold = -std::numeric_limits<double>::infinity();  // least score
  double margin = 0;                                            // least distance to the next best
};

/// A pair that was found.
struct InducedPair {
  WordId source;
  WordId target;
  double score;
  double margin;     // to the next best of the side that asked; infinite where there is no other
  std::size_t rank;  // among the best of the side that asked, from 1
};

/// The best translations for a whole vocabulary: by source word, then rank, for source_to_target and intersection (with
/// the source side's score, margin and rank); for target_to_source and either, sorted by source word, then by score.
/// Memory beside the space grows with the result only.
std::vector<InducedPair> induce_lexicon(const CommonSpace& space, const InductionOptions& options = {});

}  // namespace wordbridge
