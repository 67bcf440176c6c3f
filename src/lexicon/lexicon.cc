#include "wordbridge/lexicon.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/wording.h"

namespace wordbridge {

namespace {

std::vector<WordId> sorted_distinct(std::vector<WordId> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

/// Removes the pairs that came before, keeping the order; says how many they were.
std::size_t drop_repeated(std::vector<Lexicon::Pair>& pairs) {
  std::unordered_set<std::uint64_t> seen;
  seen.reserve(pairs.size());
  return std::erase_if(pairs, [&](const Lexicon::Pair& pair) {
    return !seen.insert(std::uint64_t{pair.source} << 32 | pair.target).second;
  });
}

}  // namespace

double LexiconCoverage::source_percent() const {
  return all_source_words == 0 ? 0 : 100.0 * static_cast<double>(source_words) / static_cast<double>(all_source_words);
}

std::string LexiconCoverage::to_line() const {
  const std::uint64_t distinct = lines - std::min(lines, duplicates + identical);
  std::string line = fmt::format("{} of {}, {} of {}", source_words, counted(all_source_words, "source word"), pairs,
                                 counted(distinct, "pair"));
  std::vector<std::string> notes;
  if (missing_source > 0) notes.push_back(counted(missing_source, "pair") + " without the source word");
  if (missing_target > 0) notes.push_back(counted(missing_target, "pair") + " without the target word");
  if (missing_both > 0) notes.push_back(counted(missing_both, "pair") + " without either");
  if (phrases > 0)
    notes.push_back(fmt::format("{}: {} in the vectors, {} more of words that are",
                                counted(phrases, "pair of phrases", "pairs of phrases"), phrases_found,
                                phrases_of_words));
  if (duplicates > 0) notes.push_back(counted(duplicates, "duplicate") + " set aside");
  if (identical > 0) notes.push_back(counted(identical, "pair") + " of equal words dropped");
  if (case_matched > 0) notes.push_back(counted(case_matched, "pair") + " found in another letter case");
  if (skipped_lines > 0) notes.push_back(counted(skipped_lines, "line") + " skipped (first: " + first_skipped + ")");
  if (known_pairs > 0)
    notes.push_back(fmt::format("{} of {} known from the lexicon of the mapping", counted(known_pairs, "pair"),
                                counted(known_words, "word")));
  if (swapped_pairs > pairs) notes.push_back(fmt::format("{} would match with the two sides swapped", swapped_pairs));
  if (!notes.empty()) line += fmt::format(" ({})", fmt::join(notes, ", "));
  return line;
}

Lexicon::Lexicon(std::vector<Pair> pairs, LexiconCoverage coverage)
    : pairs_(std::move(pairs)), coverage_(std::move(coverage)) {
  const bool by_reader = coverage_.lines > 0;  // counted by a reader, which knows what the file held
  if (!by_reader) coverage_.lines = pairs_.size();
  coverage_.duplicates += drop_repeated(pairs_);
  coverage_.pairs = pairs_.size();
  coverage_.target_words = target_words().size();
  if (!by_reader) coverage_.source_words = coverage_.all_source_words = source_words().size();
}

std::vector<WordId> Lexicon::source_words() const {
  std::vector<WordId> ids;
  ids.reserve(pairs_.size());
  for (const Pair& pair : pairs_) ids.push_back(pair.source);
  return sorted_distinct(std::move(ids));
}

std::vector<WordId> Lexicon::target_words() const {
  std::vector<WordId> ids;
  ids.reserve(pairs_.size());
  for (const Pair& pair : pairs_) ids.push_back(pair.target);
  return sorted_distinct(std::move(ids));
}

Lexicon Lexicon::first(std::size_t count) const {
  return Lexicon({pairs_.begin(), pairs_.begin() + static_cast<std::ptrdiff_t>(std::min(count, pairs_.size()))});
}

}  // namespace wordbridge
