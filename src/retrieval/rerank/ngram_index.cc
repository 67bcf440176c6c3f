#include "retrieval/rerank/ngram_index.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wordbridge {

namespace {

using GramKey = std::uint64_t;

constexpr GramKey kBegin = 1, kEnd = 2, kFirstLetter = 3;
constexpr std::size_t kSumsAtOnce = 64;
constexpr int kLetterBits = 21;  // enough for every code point and the values behind

/// The n-grams of a word by their keys, ascending, with repetitions.
std::vector<GramKey> gram_keys(std::u32string_view letters) {
  const auto symbol = [&](std::size_t i) -> GramKey {
    if (i == 0) return kBegin;
    return i <= letters.size() ? kFirstLetter + letters[i - 1] : kEnd;
  };
  std::vector<GramKey> keys;
  keys.reserve(2 * letters.size() + 1);
  for (std::size_t i = 0; i <= letters.size(); ++i) {
    const GramKey pair = symbol(i) << kLetterBits | symbol(i + 1);
    keys.push_back(pair);
    if (i < letters.size()) keys.push_back(pair << kLetterBits | symbol(i + 2));
  }
  std::ranges::sort(keys);
  return keys;
}

/// Calls visit(key, times) for each distinct key.
template <class Visit>
void for_each_distinct(const std::vector<GramKey>& keys, const Visit& visit) {
  for (std::size_t i = 0; i < keys.size();) {
    std::size_t end = i + 1;
    while (end < keys.size() && keys[end] == keys[i]) ++end;
    visit(keys[i], static_cast<double>(end - i));
    i = end;
  }
}

std::unordered_map<GramKey, std::uint32_t> document_frequencies(const SpellingTable& words) {
  std::unordered_map<GramKey, std::uint32_t> frequencies;
  for (WordId word = 0; word < words.size(); ++word)
    for_each_distinct(gram_keys(words[word]), [&](GramKey key, double) { ++frequencies[key]; });
  return frequencies;
}

}  // namespace

NgramIndex::NgramIndex(const SpellingTable& sources, const SpellingTable& targets) {
  const auto of_sources = document_frequencies(sources), of_targets = document_frequencies(targets);
  const double total = static_cast<double>(sources.size() + targets.size()) + 1;
  const auto idf = [&](std::size_t frequency) { return std::log(total / (static_cast<double>(frequency) + 1)); };
  unseen_idf_ = idf(0);
  std::vector<GramKey> keys;
  for (const auto& [key, frequency] : of_targets) keys.push_back(key);
  std::ranges::sort(keys);  // the numbering does not depend on the order of a hash table
  for (const GramKey key : keys) {
    const auto elsewhere = of_sources.find(key);
    grams_.emplace(key, static_cast<std::uint32_t>(idf_.size()));
    idf_.push_back(idf(of_targets.at(key) + (elsewhere == of_sources.end() ? 0 : elsewhere->second)));
  }
  for (const auto& [key, frequency] : of_sources)
    if (!grams_.contains(key)) foreign_idf_.emplace(key, idf(frequency));

  target_starts_.push_back(0);
  gram_starts_.assign(idf_.size() + 1, 0);
  for (WordId target = 0; target < targets.size(); ++target) {
    for (const Term& term : profile(targets[target])) {
      terms_.push_back(term);
      ++gram_starts_[term.gram + 1];
    }
    target_starts_.push_back(terms_.size());
  }
  for (std::size_t gram = 0; gram < idf_.size(); ++gram) gram_starts_[gram + 1] += gram_starts_[gram];
  postings_.resize(terms_.size());
  std::vector<std::size_t> next(gram_starts_.begin(), gram_starts_.end() - 1);
  for (WordId target = 0; target < targets.size(); ++target)
    for (std::size_t i = target_starts_[target]; i < target_starts_[target + 1]; ++i)
      postings_[next[terms_[i].gram]++] = {target, static_cast<float>(terms_[i].weight)};
}

NgramIndex::Profile NgramIndex::profile(std::u32string_view letters) const {
  Profile profile;
  double squares = 0;
  for_each_distinct(gram_keys(letters), [&](GramKey key, double times) {
    if (const auto known = grams_.find(key); known != grams_.end()) {
      profile.push_back({known->second, times * idf_[known->second]});
      squares += profile.back().weight * profile.back().weight;
    } else {
      const auto foreign = foreign_idf_.find(key);
      const double weight = times * (foreign == foreign_idf_.end() ? unseen_idf_ : foreign->second);
      squares += weight * weight;
    }
  });
  const double scale = squares > 0 ? 1 / std::sqrt(squares) : 0;
  for (Term& term : profile) term.weight *= scale;
  return profile;
}

double NgramIndex::cosine(const Profile& profile, WordId target) const {
  double sum = 0;
  auto own = profile.begin();
  for (std::size_t i = target_starts_[target]; i < target_starts_[target + 1]; ++i) {
    while (own != profile.end() && own->gram < terms_[i].gram) ++own;
    if (own != profile.end() && own->gram == terms_[i].gram) sum += own->weight * terms_[i].weight;
  }
  return sum;
}

std::vector<Scored<double>> NgramIndex::Search::nearest(const Profile& profile, std::size_t count, double threshold) {
  for (const Term& term : profile) {
    const auto weight = static_cast<float>(term.weight);
    for (const Posting& posting : index_.postings(term.gram)) sums_[posting.target] += weight * posting.weight;
  }
  // Each weight, product and sum of floats is off by 2^-24 of it at most.
  const double slack = 2.0 * static_cast<double>(profile.size() + 4) * 0x1.0p-24;
  const float least = std::max(static_cast<float>(threshold - slack), std::numeric_limits<float>::min());
  TopK<double> best(count);
  for (std::size_t begin = 0; begin < sums_.size(); begin += kSumsAtOnce) {
    const auto sums = std::span(sums_).subspan(begin, std::min(kSumsAtOnce, sums_.size() - begin));
    unsigned some = 0;  // in a loop without branches
    for (const float sum : sums) some |= sum >= least ? 1u : 0u;
    for (std::size_t i = 0; some != 0 && i < sums.size(); ++i) {
      if (sums[i] < least || static_cast<double>(sums[i]) + slack < best.threshold()) continue;
      const auto target = static_cast<WordId>(begin + i);
      if (const double cosine = index_.cosine(profile, target); cosine > threshold) best.offer(cosine, target);
    }
  }
  std::ranges::fill(sums_, 0.0f);
  return best.take_sorted();
}

}  // namespace wordbridge
