#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "align/prepared_problem.h"
#include "wordbridge/align.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

/// A kind of map that `auto` may choose: what can be asked for by name too.
struct MapKind {
  std::string name;  // for people
  AlignOptions options;
  bool cheap = false;              // always compared with the usual kind, because it costs next to nothing
  bool without_identical = false;  // differs from another kind by leaving out words alike in both languages
  /// The kind that this one goes on from: it is not learned where that one is evidently behind. Empty: none.
  std::string follows = {};
};

/// The kinds, the usual one first: of those measured it was the best or next to the best for every pair of languages
/// and size of lexicon. None comes before the one that it follows.
const std::vector<MapKind>& map_kinds();

/// Which kinds take part.
enum class ComparedKinds {
  needed,  // the usual and the cheap ones; all of them where a cheap one seems to be better than the usual one
  all,
};

/// Of each held-out word, 1 where a kind's map has it right.
using MapOutcome = std::vector<std::uint8_t>;
using MapJudge = std::function<MapOutcome(const MapKind& kind)>;

/// The race of the kinds. First those that are cheap are judged, and the usual one. It ends there where no cheap one
/// has more words right than the usual one at p < 0.05 (sign test over the words on which the two differ), unless all
/// are asked for. Else the others follow in turn, but for those that go on from a kind which is behind the best so far
/// at p < 0.01. The usual kind is kept unless the best of the others has more words right at p < 0.01.
struct RaceResult {
  const MapKind* kind = nullptr;  // that was chosen
  ChoiceReport report = {};
};
RaceResult race(std::span<const MapKind* const> kinds, ComparedKinds compared, const MapJudge& judge);

/// What was chosen of map_kinds(), and why.
struct MapChoice : RaceResult {
  /// Where it is the usual kind and words were held out: the words in the map that was learned without these.
  std::optional<CommonSpace> space = std::nullopt;
};

struct MapChoiceOptions {
  ComparedKinds compared = ComparedKinds::needed;
  bool any_normalization = false;  // kinds are learned after the problem's steps, whatever their own
  bool reranks = false;            // the space is for a re-ranker, whose candidates of the words are found at once
};

/// The aligner of a kind.
using MakeKind = std::function<const Aligner&(const MapKind& kind)>;

/// Which kind suits two languages and a lexicon: each learns from the known pairs of the re-ranker's first fold
/// (retrieval/rerank/cross_fitting.h), and translates the words that it holds out by CSLS. Nothing is held out, and the
/// usual kind taken, with fewer than 100 source words. Kinds that want tables after other steps of normalization than
/// the usual one take part where the problem has kept the tables as they were read.
MapChoice choose_map(const PreparedProblem& problem, const MapChoiceOptions& options, const MakeKind& make);

}  // namespace wordbridge
