#pragma once
#include "wordbridge/aligners/aligner.h"
#include "wordbridge/aligners/journal.h"

namespace wordbridge {

struct AdversarialOptions {
  std::size_t hidden = 256;    // width of the discriminator (2048 as published: hours on two cores)
  std::size_t words = 75'000;  // most frequent words that are drawn from
  int epochs = 5;
  std::size_t epoch_words = 250'000;  // words mapped in an epoch (1,000,000 as published)
  std::size_t batch = 32;             // words of each language in a step
  int discriminator_steps = 5;        // for each step of the mapping
  double learning_rate = 0.1;         // of both, times `decay` after each epoch
  double decay = 0.98;
  double smoothing = 0.1;        // wanted probabilities are this far from 0 and 1
  double orthogonality = 0.001;  // beta of W <- (1 + beta) W - beta (W Wᵀ) W
  double length = 4;             // of the vectors that the discriminator sees, about that of raw ones
  std::uint64_t seed = 0;
  JournalOptions journal = {};
};

/// UsageError for what cannot be.
void check(const AdversarialOptions& options);

/// Conneau et al. 2018, without a lexicon: W is trained so that a discriminator cannot tell mapped source words from
/// target words, while the discriminator is trained to tell them. The epoch that the unsupervised criterion likes best
/// is kept.
///
/// AlignmentResult::details gets "epochs": the criterion after each.
class AdversarialAligner final : public Aligner {
 public:
  /// UsageError for options that cannot be.
  explicit AdversarialAligner(AdversarialOptions options = {});

  std::string name() const override { return "adversarial"; }
  std::map<std::string, std::string> options() const override;
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  AdversarialOptions options_;
};

}  // namespace wordbridge
