#pragma once
#include <string>
#include <vector>

#include "align/prepared_problem.h"
#include "wordbridge/align.h"

namespace wordbridge {

/// A kind of map that `auto` tries: what can be asked for by name too.
struct MapKind {
  std::string name;  // for people
  AlignOptions options;
  bool without_identical = false;  // differs from another kind by leaving out words alike in both languages
  /// Not worth a try where the kind `worse` was evidently worse than the kind `better`; empty: always tried.
  std::string worse = {}, better = {};
};

/// The kinds, the one to beat first: of those measured it was the best or next to the best for every pair of languages
/// and size of lexicon.
const std::vector<MapKind>& map_kinds();

/// What was chosen, and why.
struct MapChoice {
  const MapKind* kind = nullptr;  // of map_kinds()
  ChoiceReport report = {};
};

/// Which kind suits two languages and a lexicon: each learns from a part of the lexicon, and the words of the other
/// part (up to 30% of the source words, 1,000 at most, drawn from the rarer half) are translated by CSLS. The first
/// kind is kept unless the best of the others has more of these words right than chance explains: sign test over the
/// words on which the two differ, p < 0.01. Nothing is held out, and the first kind taken, with fewer than 100 source
/// words. Kinds are learned after their own steps of normalization where the problem has kept the tables as they were
/// read, else all after its own.
MapChoice choose_map(const PreparedProblem& problem);

}  // namespace wordbridge
