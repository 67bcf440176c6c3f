#include "cli/options/retrieval_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "cli/options/arguments.h"
#include "cli/session.h"
#include "lexicon/lexicon_reader.h"
#include "retrieval/fit_beta.h"
#include "retrieval/inverted_softmax.h"

namespace wordbridge::cli {

std::vector<std::string> criterion_choices() {
  const auto names = criterion_names();
  return {names.begin(), names.end()};
}

RetrievalOptions RetrievalOptions::of(const std::string& criterion) {
  RetrievalOptions options;
  options.criterion_ = criterion;
  return options;
}

void RetrievalOptions::declare(Arguments& arguments, const std::string& usual) {
  arguments.heading("Retrieval");
  arguments.choice("--criterion", criterion_, criterion_choices(),
                   fmt::format("How translations are ranked: by cosine (nn), by cosine less the mean cosine of the "
                               "neighborhoods (csls), by inverted softmax (isf), or by the rank of the word among all "
                               "source words (gc) (default: {})",
                               usual));
  arguments.number("-k,--neighbors", neighbors_, 1, 1 << 20, "Neighbors that csls looks at (default: 10)");
  arguments.number("--beta", beta_, "Inverse temperature of isf (default: 30)");
  arguments.text("--fit-beta", beta_lexicon_, "FILE",
                 "Lexicon for whose pairs beta of isf is fitted: the training lexicon, not the test lexicon");
  arguments.number("--sample", sample_,
                   "Source words in the normalizer of isf, drawn with --seed (default: 0, all of them)");
  arguments.exclude("--beta", "--fit-beta");
}

void RetrievalOptions::settle(const Mapping& mapping) {
  const std::string& own = mapping.provenance.criterion;
  if (criterion_.empty() && !own.empty() && std::ranges::count(criterion_names(), own) == 0)
    throw UsageError(fmt::format("the mapping goes with criterion '{}', which is unknown here: give --criterion", own));
  settle(own.empty() ? "csls" : own);
}

void RetrievalOptions::settle(const std::string& usual) {
  if (criterion_.empty()) criterion_ = usual;
  const char* of_isf = beta_ ? "--beta" : !beta_lexicon_.empty() ? "--fit-beta" : sample_ ? "--sample" : nullptr;
  if (of_isf != nullptr && criterion_ != "isf")
    throw UsageError(fmt::format("{} belongs to --criterion isf, not to {}", of_isf, criterion_));
  if (beta_) require_beta(*beta_);
  if (beta_lexicon_ == "-") throw UsageError("--fit-beta takes a file, not standard input");
  if (!beta_lexicon_.empty()) beta_pairs_ = read_word_pairs(beta_lexicon_);
}

CriterionOptions RetrievalOptions::options_for(Session& session, const CommonSpace& space) const {
  CriterionOptions options{.neighbors = neighbors_,
                           .beta = beta_.value_or(CriterionOptions().beta),
                           .sample = sample_.value_or(0),
                           .seed = session.options().seed};
  if (beta_pairs_) {
    const Stopwatch stopwatch;
    const Lexicon lexicon = find_pairs(*beta_pairs_, space.vocabulary(Side::source), space.vocabulary(Side::target));
    options.beta = fit_beta(space, lexicon);
    session.note(fmt::format("{}: beta {:.1f} fitted on {} pairs ({})", beta_lexicon_, options.beta, lexicon.size(),
                             stopwatch.to_text()));
  }
  return options;
}

}  // namespace wordbridge::cli
