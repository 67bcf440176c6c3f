#include "align/induction_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "linalg/blas.h"
#include "space/common_space_state.h"
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
double mean_similarity(const std::vector<InducedPair>& pairs, const CommonSpace& space) {
  double sum = 0;
  for (const InducedPair& pair : pairs) {
    const auto x = space.table(Side::source).row(pair.source), y = space.table(Side::target).row(pair.target);
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
  UnitRows still;                         // the target words, in all rounds where maps leave them alone
  std::optional<TwoSidedNeighbors> near;  // of the last round
  const auto total = static_cast<std::uint64_t>(rounds.rounds);
  for (std::uint64_t round = 1; round <= total; ++round) {
    const bool moved = result.target_map.has_value();
    if (!moved && still.size() == 0) still = in_common_space(problem.target.table(), rounds.words, nullptr);
    const CommonSpace space(in_common_space(problem.source.table(), rounds.words, &result.source_map),
                            moved ? in_common_space(problem.target.table(), rounds.words, &*result.target_map) : still);
    CslsStatistics& statistics = space.state().csls(rounds.induction.criterion_options.neighbors);
    statistics.learn_both(near ? &*near : nullptr);
    if (round < total && statistics.nearest() != nullptr) near = *statistics.nearest();
    const auto pairs = rounds.choose(induce_lexicon(space, rounds.induction));
    if (pairs.empty()) throw Error(fmt::format("round {} of the {} found no pairs to learn from", round, rounds.name));
    const Lexicon before = std::exchange(lexicon, rounds.teach(pairs));
    const double similarity = mean_similarity(pairs, space);
    done.rounds.push_back({pairs.size(), count_kept(before, pairs), similarity});
    stage.update(round, total, fmt::format("{} pairs, mean similarity {:.4f}", pairs.size(), similarity));
    result = (round == total ? last : refit).solve({problem.source, problem.target, lexicon, problem.seed});
    all.add_warnings(result.report.warnings);
  }
  result.report.warnings = std::move(all.warnings);
  return done;
}

}  // namespace wordbridge
