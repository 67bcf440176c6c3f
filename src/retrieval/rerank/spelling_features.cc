#include "retrieval/rerank/spelling_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace wordbridge {

namespace {

constexpr std::array<std::string_view, 10> kSpellingNames = {"equal",   "equal stripped",   "edit",   "edit over half",
                                                             "ngrams",  "prefix",           "length", "length distance",
                                                             "foreign", "foreign frequency"};

double log_rank_of(WordId rank) { return std::log(static_cast<double>(rank) + 20); }

}  // namespace

SpellingFeatures::SpellingFeatures(CommonSpace space, std::shared_ptr<const SpellingResources> spelling)
    : space_(std::move(space)), spelling_(std::move(spelling)) {}

std::span<const std::string_view> SpellingFeatures::names() const { return kSpellingNames; }

void SpellingFeatures::compute(const WordCandidates& word, MatrixViewD values) const {
  const Vocabulary& written = space_.vocabulary(Side::target);
  for (std::size_t i = 0; i < word.size(); ++i) {
    const WordId target = word.targets[i];
    const std::u32string_view letters = spelling_->answering_words[target];
    const double edit = edit_similarity(word.letters, letters);
    const auto longer = static_cast<double>(std::max<std::size_t>({word.letters.size(), letters.size(), 1}));
    const auto length = static_cast<double>(letters.size());
    values(i, 0) = written[target] == word.word.spelling ? 1 : 0;
    values(i, 1) = letters == word.letters ? 1 : 0;
    values(i, 2) = edit;
    values(i, 3) = std::max(0.0, edit - 0.5);
    values(i, 4) = spelling_->ngrams.cosine(word.profile, target);
    values(i, 5) = static_cast<double>(common_prefix(word.letters, letters)) / longer;
    values(i, 6) = length;
    values(i, 7) = std::abs(length - static_cast<double>(word.letters.size()));
    const WordId other = spelling_->same_asking_word[target];
    const bool foreign = other != SpellingResources::kNoWord && written[target] != word.word.spelling;
    values(i, 8) = foreign ? 1 : 0;
    values(i, 9) = foreign ? log_rank_of(target) - log_rank_of(other) : 0;
  }
}

}  // namespace wordbridge
