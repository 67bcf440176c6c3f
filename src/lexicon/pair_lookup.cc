#include "lexicon/pair_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/wording.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

std::uint64_t key_of(WordId source, WordId target) { return std::uint64_t{source} << 32 | target; }

/// Why nothing is usable, and what would be.
[[noreturn]] void refuse_empty(const WordPairs& pairs, const LexiconCoverage& coverage) {
  std::string reason = fmt::format(
      "none of {} has both words in the vocabularies: the source words of {} and the target words of {} are missing",
      counted(pairs.pairs.size(), "pair"), coverage.missing_source + coverage.missing_both,
      coverage.missing_target + coverage.missing_both);
  const auto& first = pairs.pairs.front();
  reason += fmt::format(" (first pair: '{}', '{}')", first.source, first.target);
  if (coverage.swapped_pairs > 0)
    throw LexiconMistakeError(
        pairs.path, LexiconMistake::swapped,
        reason + fmt::format("; {} would match with the two sides swapped: the lexicon or the two "
                             "vector files are in the wrong order",
                             counted(coverage.swapped_pairs, "pair")));
  if (coverage.any_case_pairs > 0)
    throw LexiconMistakeError(pairs.path, LexiconMistake::other_case,
                              reason + fmt::format("; {} would match in another letter case (case policy 'title')",
                                                   counted(coverage.any_case_pairs, "pair")));
  throw LexiconMistakeError(pairs.path, LexiconMistake::none, reason + "; are these the right languages?");
}

/// Counts where the words of one column are, as ColumnMatches says.
void count(ColumnMatches& matches, bool own, const std::optional<FoundWord>& other, std::size_t first_words) {
  ++matches.pairs;
  if (own) ++matches.own;
  if (other && other->id < first_words) ++matches.other;
}

}  // namespace

PairLookup look_up_pairs(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target,
                         CasePolicy case_policy, LexiconChecks checks) {
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
  ColumnMatches source_matches, target_matches;
  std::uint64_t only_in_other_case = 0;
  const std::size_t first_words = std::min(source.size(), target.size());
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
    const std::optional<FoundWord> source_in_target = find_word(target, pair.source, case_policy);
    const std::optional<FoundWord> target_in_source = find_word(source, pair.target, case_policy);
    if (source_in_target && target_in_source) {
      ++coverage.swapped_pairs;
      if (!x || !y) ++coverage.only_swapped;
    }
    if (pair.source != pair.target) {
      count(source_matches, x.has_value(), source_in_target, first_words);
      count(target_matches, y.has_value(), target_in_source, first_words);
    }
    if ((!x || !y) && find_word(source, pair.source, CasePolicy::title) &&
        find_word(target, pair.target, CasePolicy::title))
      ++only_in_other_case;
    lookup.items.push_back(item);
  }
  coverage.pairs = usable.size();
  coverage.source_words = usable_sources.size();
  coverage.target_words = usable_targets.size();
  coverage.all_source_words = all_sources.size();
  coverage.any_case_pairs = coverage.pairs + only_in_other_case;
  if (usable.empty()) refuse_empty(pairs, coverage);
  const LexiconMistake mistake = likely_mistake(coverage, source_matches, target_matches);
  if (mistake != LexiconMistake::none && checks != LexiconChecks::none &&
      (mistake != LexiconMistake::other_case || checks != LexiconChecks::except_case))
    throw LexiconMistakeError(pairs.path, mistake, explain(mistake, coverage, source_matches, target_matches));
  return lookup;
}

}  // namespace wordbridge
