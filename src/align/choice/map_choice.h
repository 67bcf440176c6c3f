#pragma once
#include <string>
#include <vector>

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

/// Which kind suits two languages and a lexicon: each learns from a part of the lexicon, and the words of the other
/// part (up to 30% of the source words, 1,000 at most, drawn from the rarer half) are translated by CSLS. The first
/// kind is kept unless the best of the others has more of these words right than chance explains: sign test over the
/// words on which the two differ, p < 0.01. Nothing is held out, and the first kind taken, with fewer than 100 source
/// words. `normalization`: for all kinds, in place of their own; empty: their own.
ChoiceReport choose_map(const WordVectors& source, const WordVectors& target, const Lexicon& lexicon,
                        const std::string& normalization);

/// The kind that a report names.
const MapKind& chosen_kind(const ChoiceReport& choice);

}  // namespace wordbridge
