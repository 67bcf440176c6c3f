#include "retrieval/fit_beta.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/rows.h"
#include "retrieval/softmax_sums.h"
#include "search/neighbor_search.h"
#include "space/common_space_state.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr double kFirstBeta = 30;
constexpr double kPrecision = 1.02;

/// The derivative of the log-likelihood by beta. It falls as beta grows, because log sum exp is convex.
class Slope {
 public:
  Slope(const UnitRows& sources, const UnitRows& targets, const Lexicon& lexicon) : sources_(sources) {
    std::vector<WordId> words;  // only the normalizers of the lexicon's targets matter
    std::size_t pairs = 0;
    for (const Lexicon::Pair& pair : lexicon.pairs()) {
      if (sources.is_zero(pair.source) || targets.is_zero(pair.target)) continue;
      sum_of_cosines_ += exact_score(sources[pair.source].data(), targets[pair.target].data(), sources.dimension());
      words.push_back(pair.target);
      ++pairs;
    }
    if (pairs == 0) throw UsageError("beta is fitted on a lexicon, and none of its pairs is usable");
    std::ranges::sort(words);
    for (auto at = words.begin(); at != words.end();) {
      const auto next = std::ranges::upper_bound(at, words.end(), *at);
      times_.push_back(static_cast<double>(next - at));
      at = next;
    }
    words.erase(std::unique(words.begin(), words.end()), words.end());
    targets_ = gather_rows(targets.rows(), words);
  }

  double operator()(double beta) const {
    const SoftmaxSums sums = softmax_sums(sources_, targets_, beta);
    double slope = sum_of_cosines_;
    for (std::size_t i = 0; i < times_.size(); ++i) slope -= times_[i] * sums.means[i];
    return slope;
  }

 private:
  const UnitRows& sources_;
  double sum_of_cosines_ = 0;  // of the pairs
  Matrix targets_;             // the distinct ones
  std::vector<double> times_;  // in how many pairs each stands
};

}  // namespace

double fit_beta(const CommonSpace& space, const Lexicon& lexicon) {
  const Slope slope(space.state().rows(Side::source), space.state().rows(Side::target), lexicon);
  double low = kFirstBeta, high = kFirstBeta;
  if (slope(kFirstBeta) > 0) {
    do {
      if (high >= kLargestBeta) return kLargestBeta;
      low = high;
      high = std::min(2 * high, kLargestBeta);
    } while (slope(high) > 0);
  } else {
    do {
      if (low <= kLeastBeta) return kLeastBeta;
      high = low;
      low = std::max(low / 2, kLeastBeta);
    } while (slope(low) <= 0);
  }
  while (high / low > kPrecision) {
    const double middle = std::sqrt(low * high);
    (slope(middle) > 0 ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace wordbridge
