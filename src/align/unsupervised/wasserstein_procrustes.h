#pragma once
#include "align/aligner.h"
#include "align/training/training_session.h"
#include "align/unsupervised/convex_start.h"
#include "base/option_list.h"

namespace wordbridge {

/// Where the first rotation comes from.
enum class TransportStart {
  profiles,  // words whose similarities to the others are distributed alike
  convex,    // the convex relaxation of the matching, as published
};

struct WassersteinProcrustesOptions {
  TransportStart start = TransportStart::profiles;
  std::size_t start_words = 4000;  // most frequent words in the start
  ConvexStartOptions convex = {};
  int epochs = 3;                // each doubles the words and the batch, and takes a quarter of the steps
  std::size_t words = 5000;      // most frequent words that steps draw from, first epoch
  std::size_t batch = 1000;      // words of each language in a step, first epoch
  int steps = 300;               // in the first epoch
  double learning_rate = 5000;   // a step is learning_rate / batch times the gradient
  double regularization = 0.05;  // of the steps' transport problems
  TrainingSessionOptions session = {};
};

/// Its options, as users set them.
const OptionList<WassersteinProcrustesOptions>& wasserstein_options();

/// UsageError for invalid options.
void check(const WassersteinProcrustesOptions& options);

/// Grave et al. 2018, without a lexicon: alternate a matching of the two clouds of words (optimal transport) with the
/// rotation that fits it, on batches of words drawn at random. The start comes from a convex relaxation that compares
/// only distances within each language.
class WassersteinProcrustesAligner final : public Aligner {
 public:
  /// UsageError for invalid options.
  explicit WassersteinProcrustesAligner(WassersteinProcrustesOptions options = {});

  std::string name() const override { return "wasserstein"; }
  std::map<std::string, std::string> options() const override { return wasserstein_options().describe(options_); }
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  WassersteinProcrustesOptions options_;
};

}  // namespace wordbridge
