#include "cli/refinement_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/arguments.h"
#include "wordbridge/base/error.h"

namespace wordbridge::cli {

namespace {

constexpr const char* kHeading = "Refinement";

}  // namespace

void RefinementChoice::declare(Arguments& arguments, const std::vector<std::string>& methods) {
  arguments.heading(kHeading);
  arguments.number("--refine", rounds_, 0, 1000,
                   "Rounds after the method: the best pairs of frequent words by CSLS become the lexicon of another "
                   "fit (default: 5 for methods without a lexicon, 0 for the others)");
  arguments.choice("--refine-with", refit_, methods, "The method of these fits (default: procrustes)");
  arguments.choice("--refine-direction", direction_, {"intersection", "source-to-target", "target-to-source", "union"},
                   "Pairs that are best for both words (intersection, the default), for the source word, for the "
                   "target word, or for one of them");
  arguments.number("--refine-rank", rank_, 0, Arguments::kMost,
                   "Leave out pairs with a word beyond this frequency rank, 0 for none (default: 10000)");
  arguments.number("--refine-threshold", threshold_,
                   "Leave out pairs whose score is not this much above the second best (default: 0)");
  arguments.number("--refine-min", min_, 0, Arguments::kMost,
                   "Keep so many pairs all the same, the surest (default: 0)");
  arguments.number("--refine-max", max_, 0, Arguments::kMost,
                   "Keep at most so many pairs, the surest (default: 0, all)");
}

void RefinementChoice::set_usual_rounds(const Arguments& arguments, std::uint64_t rounds) {
  const std::vector<std::string> given = arguments.given_under(kHeading);
  if (std::ranges::find(given, "--refine") == given.end()) rounds_ = rounds;
}

RefinementOptions RefinementChoice::options() const {
  RefinementOptions options;
  options.rounds = static_cast<int>(rounds_);
  options.direction = parse_direction(direction_);
  options.max_rank = rank_;
  options.threshold = threshold_;
  options.min_pairs = min_;
  options.max_pairs = max_;
  check(options);
  return options;
}

void RefinementChoice::refuse_without_rounds(const Arguments& arguments) const {
  if (wanted()) return;
  for (const std::string& name : arguments.given_under(kHeading))
    if (name != "--refine") throw UsageError(fmt::format("{} is for refinement: --refine N is needed", name));
}

}  // namespace wordbridge::cli
