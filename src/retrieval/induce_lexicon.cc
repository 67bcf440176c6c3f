#include "wordbridge/induce_lexicon.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "base/option_text.h"
#include "linalg/rows.h"
#include "retrieval/criterion_registry.h"
#include "retrieval/sharded_induction.h"
#include "space/common_space_state.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::array<std::pair<std::string_view, InductionDirection>, 4> kDirections = {{
    {"source-to-target", InductionDirection::source_to_target},
    {"target-to-source", InductionDirection::target_to_source},
    {"intersection", InductionDirection::intersection},
    {"union", InductionDirection::either},
}};

/// What a word costs a re-ranker that knows no CSLS statistics, in searches.
constexpr std::size_t kSearchesOfWord = 60;

/// A word of a side; without a spelling where the space has rows only.
AskingWord asking_word(const CommonSpace& space, Side side, WordId word) {
  const Vocabulary& vocabulary = space.vocabulary(side);
  return {word < vocabulary.size() ? vocabulary[word] : std::string_view(), word};
}

/// The first and the last word that ask, of so many.
std::pair<std::size_t, std::size_t> asking_range(const InductionOptions& options, std::size_t words) {
  const std::size_t end = options.last_word == 0 ? words : std::min(options.last_word, words);
  return {std::min(options.first_word, end), end};
}

/// The pairs of one word that asks, which is their `source`.
void add_pairs(WordId word, std::span<const WordId> targets, std::span<const double> scores,
               const InductionOptions& options, std::vector<InducedPair>& pairs) {
  for (std::size_t r = 0; r < std::min(options.count, targets.size()); ++r) {
    const double margin = r + 1 < scores.size() ? scores[r] - scores[r + 1] : std::numeric_limits<double>::infinity();
    const bool in_range =
        targets[r] >= options.first_word && (options.last_word == 0 || targets[r] < options.last_word);
    if (in_range && scores[r] >= options.threshold && margin >= options.margin)
      pairs.push_back({word, targets[r], scores[r], margin, r + 1});
  }
}

/// What the words of one side name in the other, as pairs with the asking side in `source`.
std::vector<InducedPair> named_pairs(const CommonSpace& space, Side asking, const InductionOptions& options) {
  const UnitRows& queries = space.state().rows(asking);
  const auto [begin, end] = asking_range(options, queries.size());
  const auto criterion = make_criterion(options.criterion, space, options.criterion_options, asking);
  // All at once, without a copy; what comes out for zero rows is dropped. One more, for the last margin.
  std::vector<AskingWord> words;
  for (std::size_t i = begin; i < end; ++i) words.push_back(asking_word(space, asking, static_cast<WordId>(i)));
  const Candidates best = criterion->best_for(words, queries.rows().slice(begin, end), options.count + 1);
  std::vector<InducedPair> pairs;
  for (std::size_t q = begin; q < end; ++q)
    if (!queries.is_zero(static_cast<WordId>(q)))
      add_pairs(static_cast<WordId>(q), best.targets_of(q - begin), best.scores_of(q - begin), options, pairs);
  return pairs;
}

/// The same for some source words, ascending.
std::vector<InducedPair> named_by(const CommonSpace& space, const Criterion& criterion, std::span<const WordId> sources,
                                  const InductionOptions& options) {
  std::vector<AskingWord> words;
  for (const WordId word : sources) words.push_back(asking_word(space, Side::source, word));
  const Candidates best = criterion.best_for(words, gather_rows(space.table(Side::source), sources), options.count + 1);
  std::vector<InducedPair> pairs;
  for (std::size_t i = 0; i < sources.size(); ++i)
    add_pairs(sources[i], best.targets_of(i), best.scores_of(i), options, pairs);
  return pairs;
}

/// The same over tables that are sharded, a block of words at a time.
std::vector<InducedPair> named_pairs(const ShardedSpace& space, Side asking, const InductionOptions& options) {
  const auto [first, last] = asking_range(options, space.size(asking));
  const auto criterion = make_criterion(options.criterion, space, options.criterion_options, asking);
  std::vector<InducedPair> pairs;
  Stage stage("inducing");
  for (std::size_t begin = first; begin < last; begin += kShardRows) {
    stage.update(begin - first, last - first);
    const std::size_t end = std::min(begin + kShardRows, last);
    const Matrix queries = space.table(asking).gather_range(begin, end);
    std::vector<AskingWord> words;
    for (std::size_t i = begin; i < end; ++i)
      words.push_back({space.vocabulary(asking)[static_cast<WordId>(i)], static_cast<WordId>(i)});
    const Candidates best = criterion->best_for(words, queries, options.count + 1);
    for (std::size_t i = 0; i < queries.rows(); ++i)
      if (!is_zero(queries.row(i)))
        add_pairs(static_cast<WordId>(begin + i), best.targets_of(i), best.scores_of(i), options, pairs);
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

/// The pairs of `forward` that the other side names, too.
std::vector<InducedPair> in_both(std::vector<InducedPair> forward, const std::vector<InducedPair>& backward) {
  const PairSet also = set_of(backward);
  std::erase_if(forward, [&](const InducedPair& pair) { return !also.contains({pair.source, pair.target}); });
  return forward;
}

/// `named`: what the words of a side name.
template <class Named>
std::vector<InducedPair> induce(const InductionOptions& options, const Named& named) {
  using enum InductionDirection;
  std::vector<InducedPair> forward, backward;
  if (options.direction != target_to_source) forward = named(Side::source);
  if (options.direction != source_to_target) {
    backward = named(Side::target);
    for (InducedPair& pair : backward) std::swap(pair.source, pair.target);
  }
  if (options.direction == source_to_target) return forward;
  if (options.direction == intersection) return in_both(std::move(forward), backward);
  const PairSet before = set_of(forward);
  for (const InducedPair& pair : backward)
    if (!before.contains({pair.source, pair.target})) forward.push_back(pair);
  std::ranges::sort(forward, {},
                    [](const InducedPair& pair) { return std::tuple(pair.source, -pair.score, pair.target); });
  return forward;
}

/// Mutual pairs by a re-ranker, which takes a hundred times as long for a word as CSLS, by which the targets ask: they
/// ask first, and only source words that one of them names are ranked. What is asked of scores is asked of
/// probabilities, not of CSLS.
std::vector<InducedPair> mutual_reranked(const CommonSpace& space, const InductionOptions& options) {
  const auto criterion = make_criterion(options.criterion, space, options.criterion_options, Side::source);
  const auto [first, last] = asking_range(options, space.size(Side::target));
  if ((last - first) * kSearchesOfWord > space.size(Side::target))
    space.state().csls(options.criterion_options.neighbors).learn_both();
  InductionOptions by_targets = options;
  by_targets.threshold = -std::numeric_limits<double>::infinity();
  by_targets.margin = 0;
  std::vector<InducedPair> backward = named_pairs(space, Side::target, by_targets);
  std::vector<WordId> sources;
  for (InducedPair& pair : backward) {
    std::swap(pair.source, pair.target);
    sources.push_back(pair.source);
  }
  std::ranges::sort(sources);
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return in_both(named_by(space, *criterion, sources, options), backward);
}

void require_count(const InductionOptions& options) {
  if (options.count == 0) throw UsageError("at least one translation a word must be asked for");
}

}  // namespace

InductionDirection parse_direction(std::string_view name) {
  for (const auto& [known, direction] : kDirections)
    if (name == known) return direction;
  std::vector<std::string> names;
  for (const auto& [known, direction] : kDirections) names.emplace_back(known);
  throw UsageError("direction " + none_of(name, names));
}

std::string_view to_string(InductionDirection direction) {
  return std::ranges::find(kDirections, direction, &std::pair<std::string_view, InductionDirection>::second)->first;
}

std::vector<InducedPair> induce_lexicon(const CommonSpace& space, const InductionOptions& options) {
  using enum InductionDirection;
  require_count(options);
  const bool both = options.direction == intersection || options.direction == either;
  if (options.direction == intersection && registered_criterion(options.criterion).needs_reranker)
    return mutual_reranked(space, options);
  return induce(options, [&](Side asking) {
    // Both directions want the statistics of both sides: one pass gives them.
    if (both && options.criterion == "csls") space.state().csls(options.criterion_options.neighbors).learn_both();
    return named_pairs(space, asking, options);
  });
}

std::vector<InducedPair> induce_lexicon(const ShardedSpace& space, const InductionOptions& options) {
  using enum InductionDirection;
  require_count(options);
  const auto [first, last] = asking_range(options, space.size(Side::source));
  const bool both = options.direction == intersection || options.direction == either;
  const bool all = last - first > kShardRows && last - first == space.size(Side::source);
  // Both directions, and whole vocabularies that are asked about in parts, want all statistics: one pass gives them.
  if (options.criterion == "csls" && (both || all)) space.csls(options.criterion_options.neighbors).learn_both();
  return induce(options, [&](Side asking) { return named_pairs(space, asking, options); });
}

}  // namespace wordbridge
