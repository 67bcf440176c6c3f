#include "wordbridge/induce_lexicon.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "space/common_space_state.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::array<std::pair<std::string_view, InductionDirection>, 4> kDirections = {{
    {"source-to-target", InductionDirection::source_to_target},
    {"target-to-source", InductionDirection::target_to_source},
    {"intersection", InductionDirection::intersection},
    {"union", InductionDirection::either},
}};

/// The words [begin, end) of a side; without a spelling where the space has rows only.
std::vector<AskingWord> asking_words(const CommonSpace& space, Side side, std::size_t begin, std::size_t end) {
  const Vocabulary& vocabulary = space.vocabulary(side);
  std::vector<AskingWord> words;
  words.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i)
    words.push_back({i < vocabulary.size() ? vocabulary[i] : std::string_view(), static_cast<WordId>(i)});
  return words;
}

/// What the words of one side name in the other, as pairs with the asking side in `source`.
std::vector<InducedPair> named_pairs(const CommonSpace& space, Side asking, const InductionOptions& options) {
  const UnitRows& queries = space.state().rows(asking);
  const std::size_t end = options.last_word == 0 ? queries.size() : std::min(options.last_word, queries.size());
  const std::size_t begin = std::min(options.first_word, end);
  const auto criterion = make_criterion(options.criterion, space, options.criterion_options, asking);
  // All at once, without a copy; what comes out for zero rows is dropped. One more, for the last margin.
  const std::vector<AskingWord> words = asking_words(space, asking, begin, end);
  const Candidates best = criterion->best_for(words, queries.rows().slice(begin, end), options.count + 1);
  std::vector<InducedPair> pairs;
  for (std::size_t q = begin; q < end; ++q) {
    if (queries.is_zero(static_cast<WordId>(q))) continue;
    const auto targets = best.targets_of(q - begin);
    const auto scores = best.scores_of(q - begin);
    for (std::size_t r = 0; r < std::min(options.count, targets.size()); ++r) {
      const double margin = r + 1 < scores.size() ? scores[r] - scores[r + 1] : std::numeric_limits<double>::infinity();
      const bool in_range =
          targets[r] >= options.first_word && (options.last_word == 0 || targets[r] < options.last_word);
      if (in_range && scores[r] >= options.threshold && margin >= options.margin)
        pairs.push_back({static_cast<WordId>(q), targets[r], scores[r], margin, r + 1});
    }
  }
  return pairs;
}

struct PairHash {
  std::size_t operator()(const std::pair<WordId, WordId>& pair) const {
    return (std::size_t{pair.first} << 32 | pair.second) * 0x9E3779B97F4A7C15u >> 7;
  }
};
using PairSet = std::unordered_set<std::pair<WordId, WordId>, PairHash>;

PairSet set_of(const std::vector<InducedPair>& pairs) {
  PairSet set;
  set.reserve(pairs.size());
  for (const InducedPair& pair : pairs) set.insert({pair.source, pair.target});
  return set;
}

}  // namespace

InductionDirection parse_direction(std::string_view name) {
  for (const auto& [known, direction] : kDirections)
    if (name == known) return direction;
  throw UsageError("direction '" + std::string(name) +
                   "': one of source-to-target, target-to-source, intersection, union is wanted");
}

std::string_view to_string(InductionDirection direction) {
  return std::ranges::find(kDirections, direction, &std::pair<std::string_view, InductionDirection>::second)->first;
}

std::vector<InducedPair> induce_lexicon(const CommonSpace& space, const InductionOptions& options) {
  if (options.count == 0) throw UsageError("at least one translation a word must be asked for");
  using enum InductionDirection;
  // Both directions want the statistics of both sides: one pass gives them.
  const bool both = options.direction == intersection || options.direction == either;
  if (both && options.criterion == "csls") space.state().csls(options.criterion_options.neighbors).learn_both();
  std::vector<InducedPair> forward, backward;
  if (options.direction != target_to_source) forward = named_pairs(space, Side::source, options);
  if (options.direction != source_to_target) {
    backward = named_pairs(space, Side::target, options);
    for (InducedPair& pair : backward) std::swap(pair.source, pair.target);
  }
  if (options.direction == source_to_target) return forward;
  if (options.direction == intersection) {
    const PairSet also = set_of(backward);
    std::erase_if(forward, [&](const InducedPair& pair) { return !also.contains({pair.source, pair.target}); });
    return forward;
  }
  const PairSet before = set_of(forward);
  for (const InducedPair& pair : backward)
    if (!before.contains({pair.source, pair.target})) forward.push_back(pair);
  std::ranges::sort(forward, {},
                    [](const InducedPair& pair) { return std::tuple(pair.source, -pair.score, pair.target); });
  return forward;
}

}  // namespace wordbridge
