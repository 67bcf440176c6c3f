#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "base/json.h"
#include "lexicon/word_pairs.h"
#include "studio/review.h"
#include "wordbridge/common_space.h"
#include "wordbridge/mapping.h"
#include "wordbridge/word_translation.h"

namespace wordbridge::studio {

/// What a mapping is to be learned from, and what it is judged on.
struct TrainingPairs {
  WordPairs train, held_out;
  std::size_t accepted = 0;  // pairs of `train` that somebody accepted
  std::size_t removed = 0;   // pairs of the lexicon that somebody rejected
};

/// One source word in so many of a lexicon is held out, where there is no validation lexicon: always the same words.
inline constexpr std::size_t kHeldOutShare = 8;

/// The lexicon without what was rejected, with what was accepted, and without the words that are held out: all of those
/// of `validation`, or some of the lexicon's own. Accepted pairs of words that are held out count as right there, and
/// are not learned from.
TrainingPairs training_pairs(const WordPairs& lexicon, const std::optional<WordPairs>& validation,
                             const Verdicts& verdicts);

/// The mapping that `align` learns by the method of another one (where that can be learned anew from a lexicon, else by
/// the default); in the current context.
Mapping learn(const WordVectors& source, const WordVectors& target, const WordPairs& pairs, const Mapping* like);

/// How a space translates pairs that are held out, by what goes with it.
WordTranslation judge(const CommonSpace& space, const WordPairs& pairs);

/// Two results over the same words, as the page shows them.
Json comparison_json(const WordTranslation& first, const WordTranslation& second);

}  // namespace wordbridge::studio
