#include "align/refinement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "align/induction_rounds.h"
#include "base/wording.h"
#include "linalg/blas.h"
#include "space/unit_rows.h"
#include "wordbridge/common_space.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

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
  const InductionRounds rounds{
      .name = "refinement",
      .rounds = options_.rounds,
      .induction = {.criterion_options = {.neighbors = options_.neighbors},
                    .direction = options_.direction,
                    .last_word = options_.max_rank},
      .margins = options_.threshold > 0 || options_.max_pairs > 0,  // otherwise no pair is left out for its margin
      .choose = [&](std::vector<InducedPair> pairs) { return most_certain(std::move(pairs), options_); },
      .teach = [](const std::vector<InducedPair>& pairs) { return lexicon_of(pairs); }};
  AlignmentResult start = start_->solve(problem);
  AlignmentReport report = start.report;
  InductionRoundsResult refined = run_rounds(rounds, problem, std::move(start), problem.lexicon, *refit_, *refit_);
  report.warnings = std::move(refined.result.report.warnings);
  report.refinement = std::move(refined.rounds);
  refined.result.report = std::move(report);
  return std::move(refined.result);
}

}  // namespace wordbridge
