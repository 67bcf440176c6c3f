#include "retrieval/rerank/backward_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "retrieval/rerank/log_sum_exp.h"

namespace wordbridge {

namespace {

constexpr double kBackwardBeta = 20;
constexpr std::array<std::string_view, 5> kBackwardNames = {"backward margin", "backward first", "mutual",
                                                            "backward rank", "backward softmax"};

}  // namespace

std::span<const std::string_view> BackwardFeatures::names() const { return kBackwardNames; }

void BackwardFeatures::compute(const WordCandidates& word, MatrixViewD values) const {
  const double first_by_csls = word.csls.empty() ? 0 : std::ranges::max(word.csls);
  std::vector<double> cosines;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const double own = word.cosines[i];
    cosines.assign(1, own);
    for (std::size_t j = 0; j < word.near; ++j)
      if (word.near_words_of(i)[j] != word.word.id) cosines.push_back(static_cast<double>(word.near_cosines_of(i)[j]));
    const auto rivals = std::span(cosines).subspan(1);
    const double best = rivals.empty() ? own : std::ranges::max(rivals);
    const bool first = own >= best;
    values(i, 0) = own - best;
    values(i, 1) = first ? 1 : 0;
    values(i, 2) = first && word.csls[i] == first_by_csls ? 1 : 0;
    values(i, 3) =
        std::log1p(static_cast<double>(std::ranges::count_if(rivals, [&](double rival) { return rival > own; })));
    values(i, 4) = kBackwardBeta * own - log_sum_exp(cosines, kBackwardBeta);
  }
}

}  // namespace wordbridge
