#include "retrieval/rerank/suffix_pairs.h"

#include <algorithm>
#include <cmath>
#include <vector>

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

std::uint64_t SuffixShares::suffix_of(std::u32string_view word, std::size_t letters) {
  std::uint64_t suffix = 0;
  for (const char32_t letter : word.substr(word.size() - std::min(letters, word.size())))
    suffix = suffix << kSuffixBits | (letter + 1);
  return suffix;
}

SuffixShares::SuffixShares(const SpellingTable& words) {
  struct Made {
    std::array<std::vector<std::uint64_t>, kLongest> suffixes;
    std::array<std::vector<double>, kLongest> shares;
  };
  const auto made = std::make_shared<Made>();
  for (std::size_t k = 0; k < kLongest; ++k) {
    std::unordered_map<std::uint64_t, double> counts;
    for (WordId word = 0; word < words.size(); ++word) ++counts[suffix_of(words[word], k + 1)];
    for (const auto& [suffix, count] : counts) made->suffixes[k].push_back(suffix);
    std::ranges::sort(made->suffixes[k]);
    for (const std::uint64_t suffix : made->suffixes[k])
      made->shares[k].push_back(counts.at(suffix) / static_cast<double>(words.size()));
    lengths_[k] = {made->suffixes[k], made->shares[k]};
  }
  owner_ = made;
}

double SuffixShares::share(std::size_t length, std::uint64_t suffix) const {
  const auto& [suffixes, shares] = lengths_[length];
  const auto found = std::ranges::lower_bound(suffixes, suffix);
  return found == suffixes.end() || *found != suffix ? 0 : shares[static_cast<std::size_t>(found - suffixes.begin())];
}

SuffixPairs::SuffixPairs(std::span<const LetterPair> pairs, SuffixShares shares) : shares_(std::move(shares)) {
  for (std::size_t k = 0; k < kLongest; ++k) {
    OfLength& table = lengths_[k];
    for (const auto& [source, target] : pairs) {
      const Suffix own = SuffixShares::suffix_of(target, k + 1);
      Given& given = table.given[SuffixShares::suffix_of(source, k + 1)];
      ++given.count;
      ++given.targets[own];
      ++table.counts[own];
      ++table.pairs;
    }
  }
}

double SuffixPairs::OfLength::log_ratio(Suffix source, Suffix target, double share) const {
  const double own =
      std::max(kLeastShare, (value_or_zero(counts, target) + kPseudoWords * share) / (pairs + kPseudoWords));
  const auto found = given.find(source);
  if (found == given.end()) return 0;
  const double together = value_or_zero(found->second.targets, target);
  return std::log((together + kPseudoPairs * own) / (found->second.count + kPseudoPairs) / own);
}

std::array<double, SuffixPairs::kLongest> SuffixPairs::log_ratios(std::u32string_view source,
                                                                  std::u32string_view target) const {
  std::array<double, kLongest> ratios = {};
  for (std::size_t k = 0; k < kLongest; ++k) {
    const Suffix own = SuffixShares::suffix_of(target, k + 1);
    ratios[k] = lengths_[k].log_ratio(SuffixShares::suffix_of(source, k + 1), own, shares_.share(k, own));
  }
  return ratios;
}

}  // namespace wordbridge
