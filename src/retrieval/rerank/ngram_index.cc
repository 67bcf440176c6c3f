#include "retrieval/rerank/ngram_index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

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

constexpr std::size_t kMostTimes = 65535;

/// Calls visit(key, times) for each distinct key.
template <class Visit>
void for_each_distinct(const std::vector<GramKey>& keys, const Visit& visit) {
  for (std::size_t i = 0; i < keys.size();) {
    std::size_t end = i + 1;
    while (end < keys.size() && keys[end] == keys[i]) ++end;
    visit(keys[i], static_cast<double>(std::min(end - i, kMostTimes)));
    i = end;
  }
}

std::unordered_map<GramKey, std::uint32_t> document_frequencies(const SpellingTable& words) {
  std::unordered_map<GramKey, std::uint32_t> frequencies;
  for (WordId word = 0; word < words.size(); ++word)
    for_each_distinct(gram_keys(words[word]), [&](GramKey key, double) { ++frequencies[key]; });
  return frequencies;
}

std::optional<std::size_t> place_of(GramKey key, std::span<const GramKey> keys) {
  const auto found = std::ranges::lower_bound(keys, key);
  if (found == keys.end() || *found != key) return std::nullopt;
  return static_cast<std::size_t>(found - keys.begin());
}

bool are_starts(std::span<const std::uint64_t> starts, std::size_t lists, std::size_t entries) {
  return starts.size() == lists + 1 && starts.front() == 0 && starts.back() == entries &&
         std::ranges::is_sorted(starts);
}

bool are_weights(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return value >= 0 && value < 1e6; });
}

/// The parts in memory of their own.
struct MadeNgrams {
  std::vector<GramKey> grams, foreign_grams;
  std::vector<double> idf, foreign_idf, scales;
  std::vector<std::uint64_t> term_starts = {0}, posting_starts;
  std::vector<std::uint32_t> term_grams;
  std::vector<std::uint16_t> term_times;
  std::vector<float> posting_weights;
  std::vector<WordId> posting_targets;

  void count(const SpellingTable& sources, const SpellingTable& targets, double total);
  void add_terms(const SpellingTable& targets);
  void add_postings();
};

double idf_of(double total, std::size_t frequency) { return std::log(total / (static_cast<double>(frequency) + 1)); }

void MadeNgrams::count(const SpellingTable& sources, const SpellingTable& targets, double total) {
  const auto of_sources = document_frequencies(sources), of_targets = document_frequencies(targets);
  for (const auto& [key, frequency] : of_targets) grams.push_back(key);
  std::ranges::sort(grams);  // the numbering does not depend on the order of a hash table
  for (const GramKey key : grams) {
    const auto elsewhere = of_sources.find(key);
    idf.push_back(idf_of(total, of_targets.at(key) + (elsewhere == of_sources.end() ? 0 : elsewhere->second)));
  }
  for (const auto& [key, frequency] : of_sources)
    if (!of_targets.contains(key)) foreign_grams.push_back(key);
  std::ranges::sort(foreign_grams);
  for (const GramKey key : foreign_grams) foreign_idf.push_back(idf_of(total, of_sources.at(key)));
}

/// All n-grams of targets are known.
void MadeNgrams::add_terms(const SpellingTable& targets) {
  std::unordered_map<GramKey, std::uint32_t> numbers;
  numbers.reserve(grams.size());
  for (const GramKey key : grams) numbers.emplace(key, static_cast<std::uint32_t>(numbers.size()));
  for (WordId target = 0; target < targets.size(); ++target) {
    double squares = 0;
    for_each_distinct(gram_keys(targets[target]), [&](GramKey key, double times) {
      const std::uint32_t gram = numbers.at(key);
      term_grams.push_back(gram);
      term_times.push_back(static_cast<std::uint16_t>(times));
      const double weight = times * idf[gram];
      squares += weight * weight;
    });
    scales.push_back(squares > 0 ? 1 / std::sqrt(squares) : 0);
    term_starts.push_back(term_grams.size());
  }
}

void MadeNgrams::add_postings() {
  posting_starts.assign(grams.size() + 1, 0);
  for (const std::uint32_t gram : term_grams) ++posting_starts[gram + 1];
  for (std::size_t gram = 0; gram < grams.size(); ++gram) posting_starts[gram + 1] += posting_starts[gram];
  posting_targets.resize(term_grams.size());
  posting_weights.resize(term_grams.size());
  std::vector<std::uint64_t> next(posting_starts.begin(), posting_starts.end() - 1);
  for (WordId target = 0; target < scales.size(); ++target)
    for (std::size_t i = term_starts[target]; i < term_starts[target + 1]; ++i) {
      const std::uint64_t place = next[term_grams[i]]++;
      posting_targets[place] = target;
      posting_weights[place] =
          static_cast<float>(static_cast<double>(term_times[i]) * idf[term_grams[i]] * scales[target]);
    }
}

}  // namespace

NgramIndex::NgramIndex(const SpellingTable& sources, const SpellingTable& targets) {
  const double total = static_cast<double>(sources.size() + targets.size()) + 1;
  const auto made = std::make_shared<MadeNgrams>();
  made->count(sources, targets, total);
  made->add_terms(targets);
  made->add_postings();
  parts_ = {made->grams,
            made->idf,
            made->foreign_grams,
            made->foreign_idf,
            idf_of(total, 0),
            made->scales,
            made->term_starts,
            made->term_grams,
            made->term_times,
            made->posting_starts,
            made->posting_targets,
            made->posting_weights,
            made};
}

bool NgramIndex::fits(const Parts& parts) {
  const std::size_t grams = parts.grams.size(), targets = parts.scales.size(), terms = parts.term_grams.size();
  std::uint32_t largest_gram = 0, largest_target = 0;
  for (const std::uint32_t gram : parts.term_grams) largest_gram = std::max(largest_gram, gram);
  for (const WordId target : parts.posting_targets) largest_target = std::max(largest_target, target);
  return parts.idf.size() == grams && parts.foreign_idf.size() == parts.foreign_grams.size() &&
         parts.term_times.size() == terms && parts.posting_targets.size() == terms &&
         parts.posting_weights.size() == terms && are_starts(parts.term_starts, targets, terms) &&
         are_starts(parts.posting_starts, grams, terms) &&
         (terms == 0 || (largest_gram < grams && largest_target < targets)) && are_weights(parts.idf) &&
         std::ranges::all_of(parts.posting_weights, [](float weight) { return weight >= 0 && weight < 1e6F; }) &&
         are_weights(parts.foreign_idf) && are_weights(parts.scales) && are_weights(std::span(&parts.unseen_idf, 1));
}

NgramIndex::Profile NgramIndex::profile(std::u32string_view letters) const {
  Profile profile;
  double squares = 0;
  for_each_distinct(gram_keys(letters), [&](GramKey key, double times) {
    if (const auto known = place_of(key, parts_.grams)) {
      profile.push_back({static_cast<std::uint32_t>(*known), times * parts_.idf[*known]});
      squares += profile.back().weight * profile.back().weight;
    } else {
      const auto foreign = place_of(key, parts_.foreign_grams);
      const double weight = times * (foreign ? parts_.foreign_idf[*foreign] : parts_.unseen_idf);
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
  for (std::size_t i = parts_.term_starts[target]; i < parts_.term_starts[target + 1]; ++i) {
    const std::uint32_t gram = parts_.term_grams[i];
    while (own != profile.end() && own->gram < gram) ++own;
    if (own != profile.end() && own->gram == gram)
      sum += own->weight * (static_cast<double>(parts_.term_times[i]) * parts_.idf[gram] * parts_.scales[target]);
  }
  return sum;
}

std::vector<Scored<double>> NgramIndex::Search::nearest(const Profile& profile, std::size_t count, double threshold) {
  const Parts& parts = index_.parts_;
  for (const Term& term : profile) {
    const auto weight = static_cast<float>(term.weight);
    for (std::size_t i = parts.posting_starts[term.gram]; i < parts.posting_starts[term.gram + 1]; ++i)
      sums_[parts.posting_targets[i]] += weight * parts.posting_weights[i];
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
