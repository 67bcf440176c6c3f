#include "align/induction_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "linalg/blas.h"
#include "retrieval/csls/mutual_pairs.h"
#include "space/common_space_state.h"
#include "space/table_search.h"
#include "space/unit_rows.h"
#include "wordbridge/common_space.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// The first `words` rows of a table (0: all) under a map, or as they are.
UnitRows in_common_space(const Matrix& table, std::size_t words, const Matrix* map) {
  const ConstMatrixView rows = words == 0 ? table.view() : table.view().slice(0, std::min(words, table.rows()));
  return UnitRows::normalized(map == nullptr ? Matrix::copy_of(rows) : multiply_abt(rows, *map));
}

/// The mean cosine of pairs, which should rise from round to round.
double mean_similarity(const std::vector<InducedPair>& pairs, const UnitRows& source, const UnitRows& target) {
  double sum = 0;
  for (const InducedPair& pair : pairs) {
    const auto x = source[pair.source], y = target[pair.target];
    for (std::size_t j = 0; j < x.size(); ++j) sum += static_cast<double>(x[j]) * y[j];
  }
  return pairs.empty() ? 0 : sum / static_cast<double>(pairs.size());
}

/// Pairs that `before` has too.
std::size_t count_kept(const Lexicon& before, const std::vector<InducedPair>& pairs) {
  std::set<std::pair<WordId, WordId>> known;
  for (const Lexicon::Pair& pair : before.pairs()) known.emplace(pair.source, pair.target);
  return static_cast<std::size_t>(std::ranges::count_if(pairs, [&](const InducedPair& pair) {
    return known.contains({pair.source, pair.target});
  }));
}

/// Finds the pairs of each round, sooner by what the last one has found.
class PairFinder {
 public:
  PairFinder(const InductionRounds& rounds, const AlignmentProblem& problem)
      : rounds_(rounds),
        problem_(problem),
        options_(rounds.induction),
        mutual_(options_.last_word, options_.criterion_options.neighbors) {
    pairs_suffice_ = !rounds.margins && options_.criterion == "csls" && options_.count == 1 &&
                     options_.direction == InductionDirection::intersection && options_.first_word == 0 &&
                     options_.margin <= 0 && options_.threshold == -std::numeric_limits<double>::infinity();
  }

  /// Those of the pairs under these maps that are used, and their mean similarity. The mapped tables end with it: who
  /// learns from the pairs needs the memory.
  struct Found {
    std::vector<InducedPair> pairs;
    double similarity;
  };
  Found under(const AlignmentResult& maps) {
    const bool moved = maps.target_map.has_value();
    if (!moved && still_.size() == 0) {
      still_ = in_common_space(problem_.target.table(), rounds_.words, nullptr);
      still_search_.emplace(still_.rows(), still_.size());
    }
    const UnitRows source = in_common_space(problem_.source.table(), rounds_.words, &maps.source_map);
    const UnitRows target = moved ? in_common_space(problem_.target.table(), rounds_.words, &*maps.target_map) : still_;
    const TableSearch own(target.rows(), target.size());
    std::vector<InducedPair> pairs = rounds_.choose(find(source, target, moved ? own : *still_search_));
    const double similarity = mean_similarity(pairs, source, target);
    return {std::move(pairs), similarity};
  }

 private:
  std::vector<InducedPair> find(const UnitRows& source, const UnitRows& target, const TableSearch& targets) {
    if (pairs_suffice_ && mutual_.suits(source, target))
      if (const auto found = mutual_.find(source, target, targets)) {
        std::vector<InducedPair> pairs;
        for (const Lexicon::Pair& pair : *found)
          pairs.push_back({pair.source, pair.target, 0, std::numeric_limits<double>::infinity(), 1});
        return pairs;
      }
    const CommonSpace space(source, target);
    CslsStatistics& statistics = space.state().csls(options_.criterion_options.neighbors);
    statistics.learn_both(nearest_ ? &*nearest_ : nullptr);
    if (statistics.learned() != nullptr) nearest_ = *statistics.learned();
    return induce_lexicon(space, options_);
  }

  const InductionRounds& rounds_;
  const AlignmentProblem& problem_;
  const InductionOptions& options_;
  UnitRows still_;  // the target words, in all rounds where maps leave them alone, and the search over them
  std::optional<TableSearch> still_search_;
  bool pairs_suffice_;
  MutualPairs mutual_;
  std::optional<TwoSidedNeighbors> nearest_;
};

}  // namespace

Lexicon lexicon_of(const std::vector<InducedPair>& pairs) {
  std::vector<Lexicon::Pair> list;
  list.reserve(pairs.size());
  for (const InducedPair& pair : pairs) list.push_back({pair.source, pair.target});
  return Lexicon(std::move(list));
}

InductionRoundsResult run_rounds(const InductionRounds& rounds, const AlignmentProblem& problem, AlignmentResult start,
                                 const Lexicon& first, const Aligner& refit, const Aligner& last) {
  Stage stage(rounds.name);
  InductionRoundsResult done{std::move(start), {}};
  AlignmentResult& result = done.result;
  AlignmentReport all;  // for the warnings
  all.add_warnings(result.report.warnings);
  Lexicon lexicon = first;
  PairFinder finder(rounds, problem);
  const auto total = static_cast<std::uint64_t>(rounds.rounds);
  if (total > 0) stage.update(0, total);
  for (std::uint64_t round = 1; round <= total; ++round) {
    const auto [pairs, similarity] = finder.under(result);
    if (pairs.empty()) throw Error(fmt::format("round {} of the {} found no pairs to learn from", round, rounds.name));
    const Lexicon before = std::exchange(lexicon, rounds.teach(pairs));
    done.rounds.push_back({pairs.size(), count_kept(before, pairs), similarity});
    stage.update(round, total, fmt::format("{} pairs, mean similarity {:.4f}", pairs.size(), similarity));
    result = (round == total ? last : refit).solve({problem.source, problem.target, lexicon, problem.seed});
    all.add_warnings(result.report.warnings);
  }
  result.report.warnings = std::move(all.warnings);
  return done;
}

}  // namespace wordbridge
