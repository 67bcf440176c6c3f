#pragma once
#include "align/aligner.h"
#include "align/training/training_session.h"
#include "base/option_list.h"

namespace wordbridge {

struct IcpOptions {
  std::size_t words = 5000;        // most frequent words in the starts
  std::size_t final_words = 7500;  // most frequent words that the best start goes on with
  std::size_t dimensions = 50;     // principal axes kept
  int starts = 32;                 // the first by profiles of similarities, the others by random signs of the axes
  int iterations = 60;             // matchings and fits of a start
  std::optional<int> final_iterations = std::nullopt;  // the same for the best start; absent: as many
  std::size_t batch = 2500;  // points of either language in an iteration, drawn anew each time
  double cycle = 0.1;        // weight of the cycle terms
  TrainingSessionOptions session = {};
};

/// Its options, as users set them.
const OptionList<IcpOptions>& icp_options();

/// UsageError for invalid options.
void check(const IcpOptions& options);

/// Hoshen & Wolf 2018, without a lexicon: iterative closest points between the clouds of the most frequent words in
/// their leading principal axes, from many starts; maps in both directions are fitted together and held to be inverses
/// of each other by cycle terms. The start that reconstructs best goes on with more words, and its mutual nearest
/// neighbors give the rotation of the full space.
///
/// AlignmentReport::start_errors holds the reconstruction error of each start.
class IcpAligner final : public Aligner {
 public:
  /// UsageError for invalid options.
  explicit IcpAligner(IcpOptions options = {});

  std::string name() const override { return "icp"; }
  std::map<std::string, std::string> options() const override { return icp_options().describe(options_); }
  AlignmentResult solve(const AlignmentProblem& problem) const override;

 private:
  IcpOptions options_;
};

}  // namespace wordbridge
