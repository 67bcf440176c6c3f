#pragma once
#include "align/aligner.h"
#include "align/training/training_session.h"
#include "base/option_list.h"

namespace wordbridge {

struct AdversarialOptions {
  std::size_t hidden = 128;     // width of the discriminator (2048 as published: hours on two cores)
  std::size_t words = 10'000;   // most frequent words that are drawn from (75,000 as published)
  std::size_t dimensions = 50;  // principal axes in which the game is played (all dimensions as published)
  int epochs = 10;
  std::size_t epoch_words = 64'000;  // words mapped in an epoch (1,000,000 as published)
  std::size_t batch = 32;            // words of each language in a step
  int discriminator_steps = 2;       // for each step of the mapping (5 as published)
  double learning_rate = 0.2;        // of the discriminator, times `decay` after each epoch (0.1 as published)
  double mapping_rate = 1;           // of W, likewise (0.1 as published)
  double decay = 0.98;
  double smoothing = 0.1;       // wanted probabilities are this far from 0 and 1
  double orthogonality = 0.03;  // beta of W <- (1 + beta) W - beta (W Wᵀ) W (0.001 as published)
  double length = 4;            // of the vectors that the discriminator sees, about that of raw ones
  TrainingSessionOptions session = {};
};

/// Its options, as users set them.
const OptionList<AdversarialOptions>& adversarial_options();

/// UsageError for invalid options.
void check(const AdversarialOptions& options);

/// Conneau et al. 2018, without a lexicon: W is trained so that a discriminator cannot tell mapped source words from
/// target words, while the discriminator is trained to tell them. The epoch that the unsupervised criterion likes best
/// is kept.
///
/// AlignmentReport::epoch_scores holds the criterion after each.
class AdversarialAligner final : public Aligner {
 public:
  /// UsageError for invalid options.
  explicit AdversarialAligner(AdversarialOptions options = {});

  std::string name() const override { return "adversarial"; }
  std::map<std::string, std::string> options() const override { return adversarial_options().describe(options_); }
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  AdversarialOptions options_;
};

}  // namespace wordbridge
