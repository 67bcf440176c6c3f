#include "retrieval/rerank/frequency_features.h"

#include <array>
#include <cmath>

namespace wordbridge {

namespace {

constexpr std::array<std::string_view, 3> kFrequencyNames = {"log rank", "rank difference", "rank distance"};

double log_rank(std::size_t rank) { return std::log(static_cast<double>(rank) + 20); }

}  // namespace

std::span<const std::string_view> FrequencyFeatures::names() const { return kFrequencyNames; }

void FrequencyFeatures::compute(const WordCandidates& word, MatrixViewD values) const {
  const double own = log_rank(word.word.id ? *word.word.id : words_);
  for (std::size_t i = 0; i < word.size(); ++i) {
    values(i, 0) = log_rank(word.targets[i]);
    values(i, 1) = values(i, 0) - own;
    values(i, 2) = std::abs(values(i, 1));
  }
}

}  // namespace wordbridge
