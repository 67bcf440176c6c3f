#include "cli/options/retrieval_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/wording.h"
#include "cli/options/arguments.h"
#include "cli/session.h"
#include "lexicon/lexicon_reader.h"
#include "retrieval/criterion_registry.h"
#include "retrieval/inverted_softmax.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

RetrievalOptions RetrievalOptions::of(const std::string& criterion) {
  RetrievalOptions options;
  options.criterion_ = criterion;
  return options;
}

void RetrievalOptions::declare(Arguments& arguments, const std::string& usual) {
  std::vector<std::string> ways;
  for (const RegisteredCriterion& criterion : registered_criteria())
    ways.push_back(fmt::format("{} ({})", criterion.summary, criterion.name));
  arguments.heading("Retrieval");
  arguments.choice("--criterion", criterion_, criterion_names(),
                   fmt::format("How translations are ranked: {} (default: {})", fmt::join(ways, ", "), usual));
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
  std::string own = mapping.reranker ? "rerank" : mapping.provenance.criterion;
  if (own.empty()) own = "csls";
  if (criterion_.empty() && std::ranges::count(criterion_names(), own) == 0)
    throw UsageError(fmt::format("the mapping goes with criterion '{}', which is unknown here: give --criterion", own));
  if (!criterion_.empty()) check(mapping);
  settle(own);
}

void RetrievalOptions::settle(const std::string& usual) {
  if (criterion_.empty()) criterion_ = usual;
  for (const auto& [option, owner] : given_) refuse_foreign(option, owner);
  if (!beta_lexicon_.empty()) refuse_foreign("fit-beta", "isf");
  if (beta_lexicon_ == "-") throw UsageError("--fit-beta takes a file, not standard input");
  if (!beta_lexicon_.empty()) beta_pairs_ = read_word_pairs(beta_lexicon_);
}

void RetrievalOptions::check(const Mapping& mapping) const {
  if (registered_criterion(criterion_).needs_reranker && !mapping.reranker)
    throw UsageError(fmt::format(
        "--criterion {}: the mapping carries no re-ranker; 'wordbridge align --rerank' learns one", criterion_));
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
