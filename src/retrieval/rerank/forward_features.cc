#include "retrieval/rerank/forward_features.h"

#include <algorithm>
#include <array>
#include <limits>

#include "retrieval/rerank/log_sum_exp.h"

namespace wordbridge {

namespace {

constexpr double kForwardBeta = 20;
constexpr std::array<std::string_view, 6> kForwardNames = {"cosine",      "csls",       "target mean",
                                                           "csls margin", "csls first", "csls softmax"};

}  // namespace

std::span<const std::string_view> ForwardFeatures::names() const { return kForwardNames; }

void ForwardFeatures::compute(const WordCandidates& word, MatrixViewD values) const {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  double best = kNone, second = kNone;
  for (const double score : word.csls) {
    second = std::max(second, std::min(best, score));
    best = std::max(best, score);
  }
  const double total = log_sum_exp(word.csls, kForwardBeta);
  for (std::size_t i = 0; i < word.size(); ++i) {
    const double score = word.csls[i];
    const double other = score == best ? second : best;
    values(i, 0) = word.cosines[i];
    values(i, 1) = score;
    values(i, 2) = word.means[i];
    values(i, 3) = other == kNone ? 0 : score - other;
    values(i, 4) = score == best ? 1 : 0;
    values(i, 5) = kForwardBeta * score - total;
  }
}

}  // namespace wordbridge
