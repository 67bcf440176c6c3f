#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace wordbridge {

/// Whether the cached candidate lists of a WarmStartSearch pay: a list makes a scan dearer, and saves scans as long as
/// it answers. If a share p of the lists answers each call, one answers p / (1 - p) times. The better of the last two
/// calls counts: the steps of a training become shorter, and one long step says little of the next. Costs are counted
/// in exact scores, so that the same calls always make the same decision; it never changes an answer.
class CandidateListPolicy {
 public:
  /// `scan`: the cost of a scan without a list.
  explicit CandidateListPolicy(double scan) : scan_(scan), all_(list() < scan) {}

  /// A list, on top of a scan: the candidates that it collects, and checks that end fewer products because of them.
  double list() const { return kListScores + kShareOfScan * scan_; }

  /// What the lists did in a call: `answered` of `tried`, all of which took `scores` exact scores together.
  void learn(std::size_t tried, std::size_t answered, double scores) {
    if (tried == 0) return;
    const double share = static_cast<double>(answered) / static_cast<double>(tried);
    const double answers = std::max(share, last_);
    last_ = share;
    const double attempt = scores / static_cast<double>(tried);
    all_ = answers * scan_ - attempt > (1 - answers) * list();
  }

  /// Where lists do not pay, a few are made nevertheless, to see when they would.
  bool wants(std::uint32_t slot) const { return all_ || slot % kProbes == 0; }

 private:
  static constexpr double kListScores = 400, kShareOfScan = 0.25;
  static constexpr std::uint32_t kProbes = 64;

  double scan_;
  bool all_;
  double last_ = 1;  // the share of lists that answered
};

}  // namespace wordbridge
