#include "lexicon/gold_lexicon.h"

#include <algorithm>
#include <unordered_map>

#include "lexicon/pair_lookup.h"

namespace wordbridge {

namespace {

void sort_distinct(std::vector<WordId>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

bool GoldLexicon::Entry::accepts(WordId target) const {
  return std::binary_search(target_ids.begin(), target_ids.end(), target);
}

GoldLexicon::GoldLexicon(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target,
                         CasePolicy case_policy, LexiconChecks checks) {
  const PairLookup lookup = look_up_pairs(pairs, source, target, case_policy, checks);
  coverage_ = lookup.coverage;
  entries_.reserve(coverage_.all_source_words);
  Vocabulary words;
  for (std::size_t i = 0; i < pairs.pairs.size(); ++i) {
    const WordPairs::Pair& pair = pairs.pairs[i];
    const PairLookup::Item& item = lookup.items[i];
    if (words.add(pair.source)) entries_.push_back({pair.source, item.source, {}, {}});
    Entry& entry = entries_[*words.find(pair.source)];
    entry.targets.push_back(pair.target);
    if (item.target) entry.target_ids.push_back(*item.target);
  }
  for (Entry& entry : entries_) sort_distinct(entry.target_ids);
}

GoldLexicon::GoldLexicon(const Lexicon& lexicon, const Vocabulary& source, const Vocabulary& target)
    : coverage_(lexicon.coverage()) {
  std::unordered_map<WordId, std::size_t> position;
  for (const Lexicon::Pair& pair : lexicon.pairs()) {
    const auto [found, is_new] = position.try_emplace(pair.source, entries_.size());
    if (is_new) entries_.push_back({std::string(source[pair.source]), pair.source, {}, {}});
    Entry& entry = entries_[found->second];
    entry.targets.emplace_back(target[pair.target]);
    entry.target_ids.push_back(pair.target);
  }
  for (Entry& entry : entries_) sort_distinct(entry.target_ids);
  coverage_.source_words = coverage_.all_source_words = entries_.size();
}

}  // namespace wordbridge
