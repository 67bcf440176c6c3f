#pragma once
#include "align/aligner.h"
#include "align/training/training_session.h"
#include "base/option_list.h"

namespace wordbridge {

/// Where the first pairs come from.
enum class UnsupervisedStart {
  automatic,  // equal words where there are 100 at least, else profiles
  identical,  // words that both languages write alike
  profiles,   // words whose similarities to the others are distributed alike
};

struct StochasticSelfLearningOptions {
  UnsupervisedStart start = UnsupervisedStart::automatic;
  std::size_t start_words = 4000;  // most frequent words in the start by profiles
  std::size_t words = 20'000;      // most frequent words that look for each other
  double keep = 0.1;               // share of the candidates that are looked at, at first; it doubles up to 1
  int patience = 10;               // iterations without progress after which it does
  std::size_t neighbors = 10;      // candidates of each word, and k of CSLS
  TrainingSessionOptions session = {};
};

/// Its options, as users set them.
const OptionList<StochasticSelfLearningOptions>& unsupervised_options();

/// UsageError for invalid options.
void check(const StochasticSelfLearningOptions& options);

/// Artetxe et al. 2018, without a lexicon: from first pairs of which few need to be right, alternate the rotation that
/// fits the pairs with the pairs that are best under it, by CSLS and from both sides, among frequent words. Each
/// candidate is left out of an iteration by chance, at first nearly all of them: so poor pairs do not confirm
/// themselves for ever. Candidates are the nearest words of each word, from the search that also gives the means of
/// CSLS.
///
/// Ends where all candidates are looked at and the objective, the mean cosine of each word to the nearest of the other
/// language, does not grow any more.
class StochasticSelfLearningAligner final : public Aligner {
 public:
  /// UsageError for invalid options.
  explicit StochasticSelfLearningAligner(StochasticSelfLearningOptions options = {});

  std::string name() const override { return "unsupervised"; }
  std::map<std::string, std::string> options() const override { return unsupervised_options().describe(options_); }
  /// Error where there are no first pairs.
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  StochasticSelfLearningOptions options_;
};

}  // namespace wordbridge
