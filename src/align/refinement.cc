#include "align/refinement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "base/counted.h"
#include "base/error.h"
#include "linalg/blas.h"
#include "parallel/context.h"
#include "space/common_space.h"
#include "space/unit_rows.h"

namespace wordbridge {

namespace {

UnitRows in_common_space(const Matrix& table, const Matrix* map) {
  return UnitRows::normalized(map == nullptr ? table : multiply_abt(table, *map));
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

Lexicon lexicon_of(const std::vector<InducedPair>& pairs) {
  std::vector<Lexicon::Pair> list;
  list.reserve(pairs.size());
  for (const InducedPair& pair : pairs) list.push_back({pair.source, pair.target});
  return Lexicon(std::move(list));
}

/// Applies threshold, min_pairs and max_pairs: the most certain pairs first, ties by rank, then back in order of rank.
std::vector<InducedPair> most_certain(std::vector<InducedPair> pairs, const RefinementOptions& options) {
  std::ranges::stable_sort(pairs, std::greater<>(), &InducedPair::margin);
  std::size_t keep = static_cast<std::size_t>(
      std::ranges::count_if(pairs, [&](const InducedPair& pair) { return pair.margin >= options.threshold; }));
  keep = std::max(keep, std::min(options.min_pairs, pairs.size()));
  if (options.max_pairs > 0) keep = std::min(keep, options.max_pairs);
  pairs.resize(keep);
  std::ranges::sort(pairs, {}, [](const InducedPair& pair) { return std::pair(pair.source, pair.target); });
  return pairs;
}

/// Pairs of `now` that `before` has too.
std::size_t count_kept(const Lexicon& before, const Lexicon& now) {
  std::set<std::pair<WordId, WordId>> known;
  for (const Lexicon::Pair& pair : before.pairs()) known.emplace(pair.source, pair.target);
  return static_cast<std::size_t>(std::ranges::count_if(now.pairs(), [&](const auto& pair) {
    return known.contains({pair.source, pair.target});
  }));
}

}  // namespace

void check(const RefinementOptions& options) {
  if (options.rounds < 1) throw UsageError("refinement needs one round at least");
  if (!std::isfinite(options.threshold)) throw UsageError("the threshold of refinement must be a number");
  if (options.max_pairs > 0 && options.min_pairs > options.max_pairs)
    throw UsageError(
        fmt::format("refinement cannot keep {} pairs at least and {} at most", options.min_pairs, options.max_pairs));
  if (options.neighbors == 0) throw UsageError("refinement needs one neighbor at least");
}

RefinedAligner::RefinedAligner(std::unique_ptr<const Aligner> start, std::unique_ptr<const Aligner> refit,
                               RefinementOptions options)
    : start_(std::move(start)), refit_(std::move(refit)), options_(options) {
  check(options_);
}

const OptionList<RefinementOptions>& refinement_options() {
  static const OptionList<RefinementOptions> kList = [] {
    using S = RefinementOptions;
    OptionList<S> list;
    std::vector<std::pair<std::string, InductionDirection>> directions;
    using enum InductionDirection;
    for (const InductionDirection direction : {intersection, source_to_target, target_to_source, either})
      directions.emplace_back(to_string(direction), direction);
    list.add("refine-direction", &S::direction, directions,
             "Pairs that are best for both words (intersection), for the source word, for the target word, or for one "
             "of them");
    list.add("refine-rank", &S::max_rank, "Leave out pairs with a word beyond this frequency rank, or none (all)")
        .zero("all");
    list.add("refine-threshold", &S::threshold, "Leave out pairs whose score is not this much above the second best");
    list.add("refine-min", &S::min_pairs, "Keep so many pairs all the same, the surest");
    list.add("refine-max", &S::max_pairs, "Keep at most so many pairs, the surest").zero("all");
    return list;
  }();
  return kList;
}

std::map<std::string, std::string> RefinedAligner::options() const {
  auto all = start_->options();
  all["refine"] = std::to_string(options_.rounds);
  all["refine_with"] = refit_->name();
  all.merge(refinement_options().describe(options_));
  return all;
}

AlignmentResult RefinedAligner::solve(const AlignmentProblem& problem) const {
  Stage stage("refinement");
  AlignmentResult result = start_->solve(problem);
  AlignmentReport report = std::move(result.report);
  Lexicon lexicon = problem.lexicon;
  UnitRows still;  // the target words, in all rounds where maps leave them alone
  const auto total = static_cast<std::uint64_t>(options_.rounds);
  for (std::uint64_t round = 1; round <= total; ++round) {
    const bool moved = result.target_map.has_value();
    if (!moved && still.size() == 0) still = in_common_space(problem.target.table(), nullptr);
    const CommonSpace space(in_common_space(problem.source.table(), &result.source_map),
                            moved ? in_common_space(problem.target.table(), &*result.target_map) : still);
    const InductionOptions induction{.criterion_options = {.neighbors = options_.neighbors},
                                     .direction = options_.direction,
                                     .last_word = options_.max_rank};
    const auto pairs = most_certain(induce_lexicon(space, induction), options_);
    if (pairs.empty()) throw Error(fmt::format("round {} of the refinement found no pairs to learn from", round));
    const Lexicon before = std::exchange(lexicon, lexicon_of(pairs));
    const double similarity = mean_similarity(pairs, space);
    report.refinement.push_back({pairs.size(), count_kept(before, lexicon), similarity});
    stage.update(round, total, fmt::format("{}, mean similarity {:.4f}", counted(pairs.size(), "pair"), similarity));
    result = refit_->solve({problem.source, problem.target, lexicon});
    report.add_warnings(result.report.warnings);
  }
  result.report = std::move(report);
  return result;
}

}  // namespace wordbridge
