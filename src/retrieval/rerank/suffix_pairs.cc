#include "retrieval/rerank/suffix_pairs.h"

#include <algorithm>
#include <cmath>

namespace wordbridge {

namespace {

constexpr double kPseudoPairs = 3, kPseudoWords = 30;
constexpr int kSuffixBits = 21;
constexpr double kLeastShare = 1e-7;  // of an ending that neither the lexicon nor the vocabulary has

double value_or_zero(const std::unordered_map<std::uint64_t, double>& map, std::uint64_t key) {
  const auto found = map.find(key);
  return found == map.end() ? 0 : found->second;
}

}  // namespace

SuffixPairs::Suffix SuffixPairs::suffix_of(std::u32string_view word, std::size_t letters) {
  Suffix suffix = 0;
  for (const char32_t letter : word.substr(word.size() - std::min(letters, word.size())))
    suffix = suffix << kSuffixBits | (letter + 1);
  return suffix;
}

SuffixPairs::SuffixPairs(std::span<const SpellingModel::LetterPair> pairs, const SpellingTable& targets) {
  for (std::size_t k = 0; k < kLongest; ++k) {
    OfLength& table = lengths_[k];
    for (const auto& [source, target] : pairs) {
      Given& given = table.given[suffix_of(source, k + 1)];
      ++given.count;
      ++given.targets[suffix_of(target, k + 1)];
      ++table.counts[suffix_of(target, k + 1)];
      ++table.pairs;
    }
    for (WordId target = 0; target < targets.size(); ++target) ++table.share[suffix_of(targets[target], k + 1)];
    for (auto& [suffix, share] : table.share) share /= static_cast<double>(targets.size());
  }
}

double SuffixPairs::OfLength::log_ratio(Suffix source, Suffix target) const {
  const double own =
      std::max(kLeastShare,
               (value_or_zero(counts, target) + kPseudoWords * value_or_zero(share, target)) / (pairs + kPseudoWords));
  const auto found = given.find(source);
  if (found == given.end()) return 0;
  const double together = value_or_zero(found->second.targets, target);
  return std::log((together + kPseudoPairs * own) / (found->second.count + kPseudoPairs) / own);
}

std::array<double, SuffixPairs::kLongest> SuffixPairs::log_ratios(std::u32string_view source,
                                                                  std::u32string_view target) const {
  std::array<double, kLongest> ratios = {};
  for (std::size_t k = 0; k < kLongest; ++k)
    ratios[k] = lengths_[k].log_ratio(suffix_of(source, k + 1), suffix_of(target, k + 1));
  return ratios;
}

}  // namespace wordbridge
