#include "lexicon/pair_lookup.h"

#include <fmt/format.h>

#include <unordered_set>

#include "wordbridge/error.h"

namespace wordbridge {

namespace {

std::uint64_t key_of(WordId source, WordId target) { return std::uint64_t{source} << 32 | target; }

/// How many pairs another case policy would find.
std::uint64_t usable_with(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target,
                          CasePolicy case_policy) {
  std::uint64_t usable = 0;
  for (const WordPairs::Pair& pair : pairs.pairs)
    if (find_word(source, pair.source, case_policy) && find_word(target, pair.target, case_policy)) ++usable;
  return usable;
}

/// Why nothing is usable, and what would be.
std::string explain_empty(const WordPairs& pairs, const PairLookup& lookup, const Vocabulary& source,
                          const Vocabulary& target) {
  const LexiconCoverage& coverage = lookup.coverage;
  std::string reason = fmt::format(
      "none of {} pairs has both words in the vocabularies: the source words of {} and the target words of {} are "
      "missing",
      pairs.pairs.size(), coverage.missing_source + coverage.missing_both,
      coverage.missing_target + coverage.missing_both);
  const auto& first = pairs.pairs.front();
  reason += fmt::format(" (first pair: '{}', '{}')", first.source, first.target);
  if (coverage.swapped_pairs > 0)
    return reason + fmt::format(
                        "; {} pairs would match with the two sides swapped: the lexicon or the two vector files are "
                        "in the wrong order",
                        coverage.swapped_pairs);
  if (const std::uint64_t usable = usable_with(pairs, source, target, CasePolicy::title))
    return reason + fmt::format("; {} pairs would match in another letter case (case policy 'title')", usable);
  return reason + "; are these the right languages?";
}

}  // namespace

PairLookup look_up_pairs(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target,
                         CasePolicy case_policy) {
  PairLookup lookup;
  lookup.items.reserve(pairs.pairs.size());
  LexiconCoverage& coverage = lookup.coverage;
  coverage.lines = pairs.lines;
  coverage.duplicates = pairs.duplicates;
  coverage.identical = pairs.identical;
  coverage.skipped_lines = pairs.skipped_lines;
  coverage.first_skipped = pairs.first_skipped;
  Vocabulary all_sources;
  std::unordered_set<std::uint64_t> usable;
  std::unordered_set<WordId> usable_targets;
  Vocabulary usable_sources;  // by spelling: "Bank" and "bank" are two source words of a file whatever their ids
  for (const WordPairs::Pair& pair : pairs.pairs) {
    const std::optional<FoundWord> x = find_word(source, pair.source, case_policy);
    const std::optional<FoundWord> y = find_word(target, pair.target, case_policy);
    PairLookup::Item item;
    if (x) item.source = x->id;
    if (y) item.target = y->id;
    if (!x || !y) {
      ++(y ? coverage.missing_source : x ? coverage.missing_target : coverage.missing_both);
    } else {
      item.repeated = !usable.insert(key_of(x->id, y->id)).second;
      if (item.repeated)
        ++coverage.duplicates;
      else if (x->other_case || y->other_case)
        ++coverage.case_matched;
      usable_sources.add(pair.source);
      usable_targets.insert(y->id);
    }
    all_sources.add(pair.source);
    if (find_word(source, pair.target, case_policy) && find_word(target, pair.source, case_policy))
      ++coverage.swapped_pairs;
    lookup.items.push_back(item);
  }
  coverage.pairs = usable.size();
  coverage.source_words = usable_sources.size();
  coverage.target_words = usable_targets.size();
  coverage.all_source_words = all_sources.size();
  if (usable.empty()) throw InputError(pairs.path, 0, explain_empty(pairs, lookup, source, target));
  return lookup;
}

}  // namespace wordbridge
