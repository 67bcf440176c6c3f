#include "hub/hub_lexicons.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/checksum.h"

namespace wordbridge {

namespace {

using Kind = std::string PairLexicons::*;

/// The file of a kind in this direction, else the one in the other; its path is empty where there is none.
LexiconFile file_of(const LanguageList& list, const std::string& source, const std::string& target, Kind kind) {
  if (const PairLexicons* there = list.lexicons_of(source, target); there != nullptr && !(there->*kind).empty())
    return {there->*kind};
  if (const PairLexicons* back = list.lexicons_of(target, source); back != nullptr && !(back->*kind).empty())
    return {back->*kind, true};
  return {};
}

/// Which of two languages decides by its words what is held out: not the pivot, which is in many lexicons; else the
/// first by name, whatever the direction.
bool decides_by_target(const LanguageList& list, const std::string& source, const std::string& target) {
  if (source == list.pivot) return true;
  return target != list.pivot && target < source;
}

bool holds_out(const LanguageList& list, const std::string& source, const std::string& target) {
  return file_of(list, source, target, &PairLexicons::validation).path.empty() &&
         file_of(list, source, target, &PairLexicons::test).path.empty();
}

LexiconFile train_file(const LanguageList& list, const std::string& source, const std::string& target,
                       LexiconPart part) {
  LexiconFile file = file_of(list, source, target, &PairLexicons::train);
  if (file.path.empty() || !holds_out(list, source, target))
    return part == LexiconPart::held_out ? LexiconFile() : file;
  file.part = part;
  file.by_target = decides_by_target(list, source, target);
  return file;
}

/// Words that no map was learned from, of two languages that have a lexicon.
LexiconFile unseen_file(const LanguageList& list, const std::string& source, const std::string& target, Kind first,
                        Kind second) {
  for (const Kind kind : {first, second})
    if (LexiconFile file = file_of(list, source, target, kind); !file.path.empty()) return file;
  return train_file(list, source, target, LexiconPart::held_out);
}

/// All that is known between two languages.
std::vector<LexiconFile> all_files(const LanguageList& list, const std::string& source, const std::string& target) {
  std::vector<LexiconFile> files;
  for (const bool swapped : {false, true}) {
    const PairLexicons* lexicons = swapped ? list.lexicons_of(target, source) : list.lexicons_of(source, target);
    if (lexicons == nullptr) continue;
    for (const std::string& path : {lexicons->train, lexicons->validation, lexicons->test})
      if (!path.empty()) files.push_back({path, swapped});
  }
  return files;
}

LexiconChoice unseen_lexicon(const LanguageList& list, const std::string& source, const std::string& target, Kind first,
                             Kind second) {
  if (LexiconFile file = unseen_file(list, source, target, first, second); !file.path.empty())
    return {{std::move(file)}, {}};
  if (source == list.pivot || target == list.pivot) return {};
  LexiconFile asked = unseen_file(list, source, list.pivot, first, second);
  std::vector<LexiconFile> onward = all_files(list, list.pivot, target);
  if (asked.path.empty() || onward.empty()) return {};
  return {{std::move(asked)}, std::move(onward)};
}

void append_file(WordPairs& result, const LexiconFile& file, bool lenient) {
  WordPairs pairs = read_word_pairs(file.path, {.swap_columns = file.swapped, .lenient = lenient});
  if (file.part != LexiconPart::all)
    std::erase_if(pairs.pairs, [&](const WordPairs::Pair& pair) {
      return is_held_out(file.by_target ? pair.target : pair.source) != (file.part == LexiconPart::held_out);
    });
  if (result.path.empty()) result.path = file.path;
  for (WordPairs::Pair& pair : pairs.pairs) result.pairs.push_back(std::move(pair));
  result.skipped_lines += pairs.skipped_lines;
  if (result.first_skipped.empty()) result.first_skipped = pairs.first_skipped;
}

void keep_distinct(WordPairs& result) {
  std::set<std::pair<std::string, std::string>> seen;
  result.lines = result.pairs.size();
  std::erase_if(result.pairs,
                [&](const WordPairs::Pair& pair) { return !seen.emplace(pair.source, pair.target).second; });
  result.duplicates = result.lines - result.pairs.size();
}

WordPairs read_files(const std::vector<LexiconFile>& files, bool lenient) {
  WordPairs result;
  for (const LexiconFile& file : files) append_file(result, file, lenient);
  keep_distinct(result);
  return result;
}

void describe_files(std::string& text, const std::vector<LexiconFile>& files) {
  for (const LexiconFile& file : files)
    text += fmt::format(" {}{}{}{}", file.path, file.swapped ? " swapped" : "",
                        file.part == LexiconPart::all       ? ""
                        : file.part == LexiconPart::learned ? " learned"
                                                            : " held out",
                        file.by_target ? " by target" : "");
}

}  // namespace

bool is_held_out(std::string_view word) {
  constexpr double kAll = static_cast<double>(std::numeric_limits<std::uint64_t>::max());
  return static_cast<double>(xxh3(word.data(), word.size())) < kHeldOutShare * kAll;
}

std::string LexiconChoice::origin() const {
  if (empty()) return {};
  std::string text = joined() ? "joined" : files.front().swapped ? "reversed" : "given";
  if (files.front().part == LexiconPart::held_out) text += ", held out";
  return text;
}

std::vector<std::string> LexiconChoice::paths() const {
  std::vector<std::string> result;
  for (const auto* some : {&files, &onward})
    for (const LexiconFile& file : *some) result.push_back(file.path);
  return result;
}

std::string LexiconChoice::description() const {
  std::string text = "files";
  describe_files(text, files);
  text += " onward";
  describe_files(text, onward);
  return text;
}

LexiconChoice train_lexicon(const LanguageList& list, const std::string& source, const std::string& target) {
  LexiconFile file = train_file(list, source, target, LexiconPart::learned);
  if (file.path.empty()) return {};
  return {{std::move(file)}, {}};
}

LexiconChoice train_lexicon_or_joined(const LanguageList& list, const std::string& source, const std::string& target) {
  LexiconChoice direct = train_lexicon(list, source, target);
  if (!direct.empty() || source == list.pivot || target == list.pivot) return direct;
  LexiconChoice joined{train_lexicon(list, source, list.pivot).files, train_lexicon(list, list.pivot, target).files};
  return joined.files.empty() || joined.onward.empty() ? LexiconChoice() : joined;
}

LexiconChoice test_lexicon(const LanguageList& list, const std::string& source, const std::string& target) {
  return unseen_lexicon(list, source, target, &PairLexicons::test, &PairLexicons::validation);
}

LexiconChoice selection_lexicon(const LanguageList& list, const std::string& source, const std::string& target) {
  return unseen_lexicon(list, source, target, &PairLexicons::validation, &PairLexicons::test);
}

WordPairs read_pairs(const LexiconChoice& choice, bool lenient) {
  WordPairs pairs = read_files(choice.files, lenient);
  if (!choice.joined()) return pairs;
  const WordPairs onward = read_files(choice.onward, lenient);
  std::unordered_map<std::string_view, std::vector<const WordPairs::Pair*>> by_pivot;
  for (const WordPairs::Pair& pair : onward.pairs) by_pivot[pair.source].push_back(&pair);
  WordPairs joined;
  joined.path = pairs.path;
  for (const WordPairs::Pair& pair : pairs.pairs)
    if (const auto found = by_pivot.find(pair.target); found != by_pivot.end())
      for (const WordPairs::Pair* next : found->second)
        joined.pairs.push_back({pair.source, next->target, pair.weight * next->weight});
  keep_distinct(joined);
  return joined;
}

}  // namespace wordbridge
