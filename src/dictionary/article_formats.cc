#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "base/wording.h"
#include "dictionary/dictionary.h"
#include "vectors/letter_case.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge {

// StarDict and DICT: a file of articles, and an index that programs search by halves, so that its order is theirs.

namespace {

/// "casa, casas (97%)", a line for each translation, numbered where there are several.
std::string article(const Dictionary::Entry& entry, std::string_view indent) {
  std::string text;
  for (std::size_t i = 0; i < entry.translations.size(); ++i) {
    const Dictionary::Translation& one = entry.translations[i];
    text += indent;
    if (entry.translations.size() > 1) text += fmt::format("{}. ", i + 1);
    text += readable_word(one.word);
    for (const std::string& form : one.forms) text += ", " + readable_word(form);
    if (const auto& probability = one.p_translation ? one.p_translation : one.p_first; one.known)
      text += " (known)";
    else if (probability)
      text += fmt::format(" ({})", percent_text(*probability));
    text += '\n';
  }
  return text;
}

std::string about(const Dictionary& dictionary) {
  return fmt::format("{} from {} to {}, found in word vectors by wordbridge {}",
                     counted(dictionary.entries.size(), "headword"), dictionary.source_language,
                     dictionary.target_language, version());
}

void require_32_bits(std::size_t bytes) {
  if (bytes > UINT32_MAX) throw UsageError("the dictionary is larger than the 4 GiB that its format can hold");
}

void put_big_endian(std::string& bytes, std::size_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xFF);
}

/// A place in a file of articles.
struct IndexLine {
  std::string key;   // what the index is sorted by
  std::string word;  // as it is shown
  std::size_t offset = 0, bytes = 0;
};

/// Only the letters of ASCII are folded.
std::string ascii_lower(std::string word) {
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return word;
}

/// By key, then by the word itself; equal ones stay in the order of the articles.
void sort_index(std::vector<IndexLine>& lines) {
  std::ranges::stable_sort(lines, {}, [](const IndexLine& line) { return std::tie(line.key, line.word); });
}

/// DICT's numbers: digits of six bits, the highest first.
std::string base64_number(std::size_t number) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  do text.insert(text.begin(), kDigits[number % 64]);
  while ((number /= 64) > 0);
  return text;
}

}  // namespace

std::vector<std::string> to_stardict(const Dictionary& dictionary, DictionarySummary& summary) {
  constexpr std::size_t kLongestHeadword = 255;
  std::string articles, index;
  std::vector<IndexLine> lines;
  for (const Dictionary::Entry& entry : dictionary.entries) {
    const std::string word = readable_word(entry.word);
    if (word.size() > kLongestHeadword) {
      ++summary.left_out;
      continue;
    }
    std::string text = article(entry, "");
    text.pop_back();
    lines.push_back({ascii_lower(word), word, articles.size(), text.size()});
    articles += text;
  }
  require_32_bits(articles.size());
  sort_index(lines);
  for (const IndexLine& line : lines) {
    index.append(line.word).push_back('\0');
    put_big_endian(index, line.offset);
    put_big_endian(index, line.bytes);
  }
  const std::string info = fmt::format(
      "StarDict's dict ifo file\nversion=2.4.2\nbookname={}\nwordcount={}\nidxfilesize={}\ndescription={}\n"
      "sametypesequence=m\n",
      dictionary.pair(), lines.size(), index.size(), about(dictionary));
  return {info, std::move(index), std::move(articles)};
}

std::vector<std::string> to_dictd(const Dictionary& dictionary, DictionarySummary&) {
  std::string articles, index;
  std::vector<IndexLine> lines;
  const auto add = [&](const std::string& word, const std::string& text) {
    lines.push_back({to_lower(word), word, articles.size(), text.size()});
    articles += text;
  };
  // What the database says of itself: its letters are UTF-8, and all characters count in a search.
  add("00-database-utf8", "\n");
  add("00-database-allchars", "\n");
  add("00-database-short", fmt::format("00-database-short\n     {}\n", dictionary.pair()));
  add("00-database-info", fmt::format("00-database-info\n     {}\n", about(dictionary)));
  for (const Dictionary::Entry& entry : dictionary.entries) {
    const std::string word = readable_word(entry.word);
    add(word, word + "\n" + article(entry, "     "));
  }
  sort_index(lines);
  for (const IndexLine& line : lines) {
    index += fmt::format("{}\t{}\t{}", line.key, base64_number(line.offset), base64_number(line.bytes));
    if (line.word != line.key) index += "\t" + line.word;
    index += '\n';
  }
  return {std::move(index), std::move(articles)};
}

}  // namespace wordbridge
