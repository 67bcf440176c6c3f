#include "retrieval/rerank/learned_spelling_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace wordbridge {

namespace {

constexpr std::array<std::string_view, 4> kLearnedNames = {"cognate per letter", "cognate", "cognate probability",
                                                           "spelling per letter"};
constexpr double kOdds = 0.25;  // of cognates, before the spelling is seen

}  // namespace

LearnedSpellingFeatures::LearnedSpellingFeatures(std::shared_ptr<const SpellingResources> spelling,
                                                 std::shared_ptr<const SpellingModel> model)
    : spelling_(std::move(spelling)), model_(std::move(model)) {}

std::span<const std::string_view> LearnedSpellingFeatures::names() const { return kLearnedNames; }

void LearnedSpellingFeatures::compute(const WordCandidates& word, MatrixViewD values) const {
  const SpellingModel::Word source(*model_, word.letters);
  std::vector<std::u32string_view> targets;
  for (const WordId target : word.targets) targets.push_back(spelling_->answering_words[target]);
  const std::vector<SpellingModel::Word::Logs> logs = source.logs_of(targets);
  for (std::size_t i = 0; i < word.size(); ++i) {
    const std::u32string_view letters = targets[i];
    const auto [ratio, given] = logs[i];
    const double both = std::max(1.0, static_cast<double>(letters.size() + word.letters.size()) / 2);
    values(i, 0) = std::clamp(ratio / both, -4.0, 4.0);
    values(i, 1) = std::clamp(ratio, -10.0, 25.0);
    values(i, 2) = 1 / (1 + std::exp(-values(i, 1) - std::log(kOdds)));
    values(i, 3) = std::clamp(given / std::max(1.0, static_cast<double>(letters.size())), -10.0, 0.0);
  }
}

}  // namespace wordbridge
