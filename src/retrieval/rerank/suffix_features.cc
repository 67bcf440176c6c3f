#include "retrieval/rerank/suffix_features.h"

#include <array>
#include <utility>

namespace wordbridge {

namespace {

constexpr std::array<std::string_view, SuffixPairs::kLongest> kSuffixNames = {"suffix 1", "suffix 2", "suffix 3"};

}  // namespace

SuffixFeatures::SuffixFeatures(std::shared_ptr<const SpellingResources> spelling,
                               std::shared_ptr<const SuffixPairs> suffixes)
    : spelling_(std::move(spelling)), suffixes_(std::move(suffixes)) {}

std::span<const std::string_view> SuffixFeatures::names() const { return kSuffixNames; }

void SuffixFeatures::compute(const WordCandidates& word, MatrixViewD values) const {
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto ratios = suffixes_->log_ratios(word.letters, spelling_->answering_words[word.targets[i]]);
    for (std::size_t k = 0; k < ratios.size(); ++k) values(i, k) = ratios[k];
  }
}

}  // namespace wordbridge
