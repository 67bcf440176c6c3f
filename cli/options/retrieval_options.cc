#include "cli/options/retrieval_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/counted.h"
#include "cli/options/arguments.h"
#include "cli/session.h"
#include "lexicon/lexicon_reader.h"
#include "retrieval/criterion_registry.h"
#include "retrieval/fit_beta.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

void RetrievalOptions::declare(Arguments& arguments) {
  std::vector<std::string> ways;
  for (const RegisteredCriterion& criterion : registered_criteria())
    ways.push_back(fmt::format("{} ({})", criterion.summary, criterion.name));
  arguments.heading("Retrieval");
  arguments.choice("--criterion", criterion_, criterion_names(),
                   fmt::format("How translations are ranked: {} (default: rerank where the mapping has a re-ranker, "
                               "else the mapping's, usually csls)",
                               fmt::join(ways, ", ")));
  for (const RegisteredCriterion& criterion : registered_criteria())
    for (const auto& option : criterion.options.all())
      arguments.option(option.info(), [this, &option, &criterion](const std::string& text) {
        option.set(options_, text);
        given_[option.name()] = criterion.name;
      });
  arguments.text("--fit-beta", beta_lexicon_, "FILE",
                 "Lexicon for whose pairs beta of isf is fitted: the training lexicon, not the test lexicon");
  arguments.exclude("--beta", "--fit-beta");
}

void RetrievalOptions::settle(const Mapping& mapping) {
  if (criterion_.empty() && mapping.reranker) criterion_ = "rerank";
  if (criterion_ == "rerank" && !mapping.reranker)
    throw UsageError("--criterion rerank: the mapping carries no re-ranker; 'wordbridge align --rerank' learns one");
  if (criterion_.empty()) {
    const std::string& own = mapping.provenance.criterion;
    criterion_ = own.empty() ? "csls" : own;
    if (std::ranges::count(criterion_names(), criterion_) == 0)
      throw UsageError(
          fmt::format("the mapping goes with criterion '{}', which is unknown here: give --criterion", criterion_));
  }
  for (const auto& [option, owner] : given_) refuse_foreign(option, owner);
  if (!beta_lexicon_.empty()) refuse_foreign("fit-beta", "isf");
  if (beta_lexicon_ == "-") throw UsageError("--fit-beta takes a file, not standard input");
  if (!beta_lexicon_.empty()) beta_pairs_ = read_word_pairs(beta_lexicon_);
}

void RetrievalOptions::refuse_foreign(const std::string& option, const std::string& owner) const {
  // What has a letter of its own is set by habit, whatever the criterion.
  const bool usual = option == "neighbors";
  if (owner != criterion_ && !usual)
    throw UsageError(fmt::format("--{} belongs to --criterion {}, not to {}", option, owner, criterion_));
}

CriterionOptions RetrievalOptions::options_for(Session& session, const CommonSpace& space) const {
  CriterionOptions options = options_;
  options.seed = session.options().seed;
  if (beta_pairs_) {
    const Stopwatch stopwatch;
    const Lexicon lexicon = find_pairs(*beta_pairs_, space.vocabulary(Side::source), space.vocabulary(Side::target));
    options.beta = fit_beta(space, lexicon);
    session.note(fmt::format("{}: beta {:.1f} fitted on {} ({})", beta_lexicon_, options.beta,
                             counted(lexicon.size(), "pair"), stopwatch.to_text()));
  }
  return options;
}

}  // namespace wordbridge::cli
