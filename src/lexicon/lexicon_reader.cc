#include "lexicon/lexicon_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/wording.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::uint64_t kFewestMore = 5;
constexpr std::uint64_t kFewestPairs = 20;

double share(const ColumnMatches& column) {
  return column.pairs == 0 ? 0 : static_cast<double>(column.own) / static_cast<double>(column.pairs);
}

/// Whether the words of `column` are of another language than the vocabulary of their side.
bool is_foreign(const ColumnMatches& column, const ColumnMatches& opposite) {
  if (column.pairs < kFewestPairs) return false;
  const auto own = static_cast<double>(column.own), other = static_cast<double>(column.other);
  const bool hardly_found = share(column) < 0.6 * share(opposite);
  return (hardly_found && own <= 1.25 * other) || (column.other >= kFewestPairs && 2 * own <= other);
}

std::string explain_foreign(const char* side, const char* opposite, const ColumnMatches& column) {
  return fmt::format(
      "{} of {} are in the {} vocabulary, and {} in as many words of the {} vocabulary: these {} vectors seem to be of "
      "another language than the lexicon's {} words",
      column.own, counted(column.pairs, fmt::format("{} word", side)), side, column.other, opposite, side, side);
}

}  // namespace

LexiconMistake likely_mistake(const LexiconCoverage& coverage, const ColumnMatches& source,
                              const ColumnMatches& target) {
  if (coverage.swapped_pairs > 2 * coverage.pairs && coverage.only_swapped >= kFewestMore)
    return LexiconMistake::swapped;
  if (coverage.any_case_pairs > 2 * coverage.pairs && coverage.any_case_pairs >= coverage.pairs + kFewestMore)
    return LexiconMistake::other_case;
  if (is_foreign(target, source)) return LexiconMistake::wrong_target;
  if (is_foreign(source, target)) return LexiconMistake::wrong_source;
  return LexiconMistake::none;
}

std::string explain(LexiconMistake mistake, const LexiconCoverage& coverage, const ColumnMatches& source,
                    const ColumnMatches& target) {
  switch (mistake) {
    case LexiconMistake::none:
      return {};
    case LexiconMistake::swapped:
      return fmt::format(
          "{} in the vocabularies, and {} with the two sides swapped: the columns of the lexicon or the two files of "
          "vectors are in the wrong order",
          coverage.pairs == 1 ? "1 pair is" : counted(coverage.pairs, "pair") + " are", coverage.swapped_pairs);
    case LexiconMistake::other_case:
      return fmt::format("{} in the vocabularies as written, and {} in another letter case",
                         coverage.pairs == 1 ? "1 pair is" : counted(coverage.pairs, "pair") + " are",
                         coverage.any_case_pairs);
    case LexiconMistake::wrong_source:
      return explain_foreign("source", "target", source);
    case LexiconMistake::wrong_target:
      return explain_foreign("target", "source", target);
  }
  return {};
}

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

/// Whether a phrase could be composed.
bool has_all_words(const Vocabulary& vocabulary, std::string_view text, CasePolicy policy) {
  return std::ranges::all_of(phrase_words(text),
                             [&](const std::string& word) { return find_word(vocabulary, word, policy).has_value(); });
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
    const std::optional<FoundWord> x = find_phrase(source, pair.source, case_policy);
    const std::optional<FoundWord> y = find_phrase(target, pair.target, case_policy);
    if (is_phrase(pair.source) || is_phrase(pair.target)) {
      ++coverage.phrases;
      if (x && y)
        ++coverage.phrases_found;
      else if (has_all_words(source, pair.source, case_policy) && has_all_words(target, pair.target, case_policy))
        ++coverage.phrases_of_words;
    }
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

namespace {

WordPairs read_pairs(const std::string& path, const LexiconOptions& options) {
  return read_word_pairs(
      path,
      {.swap_columns = options.swap_columns, .drop_identical = options.drop_identical, .lenient = options.lenient});
}

}  // namespace

Lexicon find_pairs(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target, CasePolicy case_policy,
                   LexiconChecks checks) {
  const PairLookup lookup = look_up_pairs(pairs, source, target, case_policy, checks);
  std::vector<Lexicon::Pair> usable;
  usable.reserve(lookup.coverage.pairs);
  std::vector<Lexicon::WrittenPair> outside;
  for (std::size_t i = 0; i < lookup.items.size(); ++i)
    if (const PairLookup::Item& item = lookup.items[i]; item.usable())
      usable.push_back({*item.source, *item.target, pairs.pairs[i].weight});
    else if (!item.repeated)
      outside.push_back({pairs.pairs[i].source, pairs.pairs[i].target, pairs.pairs[i].weight});
  Lexicon lexicon(std::move(usable), lookup.coverage);
  lexicon.set_outside(std::move(outside));
  return lexicon;
}

Lexicon read_lexicon(const std::string& path, const Vocabulary& source, const Vocabulary& target,
                     const LexiconOptions& options) {
  return find_pairs(read_pairs(path, options), source, target, options.case_policy, options.checks);
}

Lexicon read_lexicon(const std::string& path, const WordVectors& source, const WordVectors& target,
                     const LexiconOptions& options) {
  return read_lexicon(path, source.vocabulary(), target.vocabulary(), options);
}

GoldLexicon read_gold_lexicon(const std::string& path, const Vocabulary& source, const Vocabulary& target,
                              const LexiconOptions& options) {
  return GoldLexicon(read_pairs(path, options), source, target, options.case_policy, options.checks);
}

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
