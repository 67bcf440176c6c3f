#pragma once
#include <functional>
#include <string>
#include <vector>

#include "align/aligner.h"
#include "wordbridge/induce_lexicon.h"

namespace wordbridge {

/// Rounds in which a map teaches itself: the best pairs under the maps so far make the lexicon of the next fit. What
/// refinement and self-learning share.
struct InductionRounds {
  std::string name;  // of the stage, for whoever watches
  int rounds = 1;
  InductionOptions induction;  // which pairs are found
  std::size_t words = 0;       // only the first so many rows of each table are there for it; 0: all
  bool margins = true;         // `choose` looks at scores and margins, not at the pairs alone
  /// Which of the pairs that were found are used; in order of the source words.
  std::function<std::vector<InducedPair>(std::vector<InducedPair>)> choose;
  /// The lexicon of the next fit.
  std::function<Lexicon(const std::vector<InducedPair>&)> teach;
};

/// What came out of them: the last fit, and a line for each round. The report of the result has the
/// warnings of all fits, the start's among them.
struct InductionRoundsResult {
  AlignmentResult result;
  std::vector<RefinementRound> rounds;
};

/// From `start`, which was learned from `first`. The last round is fitted by `last`, those before by `refit`. Error
/// where a round finds no pairs.
InductionRoundsResult run_rounds(const InductionRounds& rounds, const AlignmentProblem& problem, AlignmentResult start,
                                 const Lexicon& first, const Aligner& refit, const Aligner& last);

/// The pairs that were found as a lexicon.
Lexicon lexicon_of(const std::vector<InducedPair>& pairs);

}  // namespace wordbridge
