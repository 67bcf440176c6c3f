#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "align/training/training_session.h"
#include "base/option_list.h"
#include "lexicon/word_pairs.h"

namespace wordbridge {

struct RestartOptions {
  int restarts = 3;                     // tries at most; the first that is evidently right ends them
  double min_evidence = 0.3;            // what evidently right means, see evidence() in unsupervised_criterion.h
  std::size_t words = 10'000;           // most frequent words that the criterion looks at
  TrainingSessionOptions session = {};  // each try has a folder of its own below the checkpoint's
  /// Pairs on which P@1 is reported for each try. It never selects.
  std::optional<WordPairs> validation = std::nullopt;
};

/// Its options, as users set them.
const OptionList<RestartOptions>& restart_options();

/// UsageError for invalid options.
void check(const RestartOptions& options);

/// A method that learns without a lexicon, tried with one seed after the other: the try that the unsupervised criterion
/// likes best is kept. Where one half of its pairs hardly predicts the other, there is no alignment, and Error says so.
///
/// AlignmentReport::restarts tells of the tries; refinement there is on the criterion's words, agreement that of
/// UnsupervisedCriterion::held_out_agreement().
class RestartedAligner final : public Aligner {
 public:
  /// Makes the aligner of one try; it is given a seed of its own with the problem.
  using Make = std::function<std::unique_ptr<const Aligner>(const TrainingSessionOptions& session)>;
  /// UsageError for invalid options.
  RestartedAligner(Make make, RestartOptions options);

  std::string name() const override { return example_->name(); }
  std::map<std::string, std::string> options() const override;
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  Make make_;
  RestartOptions options_;
  std::unique_ptr<const Aligner> example_;
};

}  // namespace wordbridge
