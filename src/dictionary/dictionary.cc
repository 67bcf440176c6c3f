#include "dictionary/dictionary.h"

#include <fmt/format.h>
#include <unicode/uloc.h>
#include <utf8proc.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/escaped_text.h"
#include "base/json.h"
#include "base/option_error.h"
#include "base/option_text.h"
#include "base/wording.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// Empty where nobody asked.
std::string cell_of(const std::optional<double>& probability) {
  return probability ? fmt::format("{:.4f}", *probability) : "";
}

/// Of a vocabulary; empty where the word is not in it.
std::string rank_cell(std::size_t rank) { return rank == 0 ? "" : std::to_string(rank); }

/// "Spanish" for "es"; the tag itself where nobody knows it.
std::string language_name(const std::string& tag) {
  UErrorCode status = U_ZERO_ERROR;
  UChar name[100];
  const int32_t length = uloc_getDisplayName(tag.c_str(), "en", name, 100, &status);
  std::string text;
  for (int32_t i = 0; U_SUCCESS(status) && i < length; ++i) text += name[i] < 128 ? static_cast<char>(name[i]) : '?';
  return text.empty() || tag.starts_with("x-") ? tag : text;
}

std::string with_pair(const std::string& path, const std::string& extension, const std::string& pair) {
  return path.substr(0, path.size() - extension.size()) + "." + pair + extension;
}

/// The extension that a path ends with, of those of a format; empty: none of them.
std::string extension_of(const DictionaryFormat& format, std::string_view path) {
  for (const std::string& extension : format.extensions)
    if (path.ends_with(extension) && path.size() > extension.size()) return extension;
  return {};
}

}  // namespace

const std::vector<DictionaryFormat>& dictionary_formats() {
  using enum DictionaryKind;
  static const std::vector<DictionaryFormat> kFormats = {
      {tsv, "tsv", {".tsv", ".txt"}, {}, false, "tab-separated lines, a lexicon that 'align' reads"},
      {csv, "csv", {".csv"}, {}, false, "comma-separated values, for spreadsheets"},
      {json_lines, "jsonl", {".jsonl"}, {}, false, "JSON lines with the fields of Wiktionary extracts"},
      {stardict, "stardict", {".ifo"}, {".idx", ".dict"}, false, "StarDict, for GoldenDict, KOReader, sdcv"},
      {dictd, "dictd", {".index"}, {".dict"}, false, "DICT, for dictd and its clients"},
      {apertium, "apertium", {".dix"}, {}, true, "a bilingual dictionary of Apertium"},
      {tmx, "tmx", {".tmx"}, {}, true, "TMX 1.4, for translation memories"},
      {lift, "lift", {".lift"}, {}, false, "LIFT 0.13, for FieldWorks and other programs of lexicographers"},
      {tei, "tei", {".tei", ".tei.xml"}, {}, false, "TEI P5, as FreeDict has it"},
  };
  return kFormats;
}

const DictionaryFormat& dictionary_format(std::string_view name) {
  const auto found = std::ranges::find(dictionary_formats(), name, &DictionaryFormat::name);
  if (found != dictionary_formats().end()) return *found;
  std::vector<std::string> names;
  for (const DictionaryFormat& format : dictionary_formats()) names.push_back(format.name);
  throw UsageError("dictionary format " + none_of(name, names));
}

const DictionaryFormat* dictionary_format_of_path(std::string_view path) {
  for (const DictionaryFormat& format : dictionary_formats())
    if (!extension_of(format, path).empty()) return &format;
  return nullptr;
}

DictionaryFiles::DictionaryFiles(const DictionaryFormat& format, const std::string& path,
                                 const std::string& source_language, const std::string& target_language, bool both_ways)
    : format_(format) {
  const bool stream = path.empty() || path == "-";
  const bool apart = both_ways && !format.both_ways;
  if (stream && (!format.beside.empty() || apart))
    throw UsageError(fmt::format("{}{} is several files: -o FILE{} names them", format.name,
                                 apart ? " in both directions" : "", format.extensions.front()));
  if (both_ways && source_language == target_language)
    throw UsageError(fmt::format("both languages are '{}': two tags are wanted", source_language));
  const std::string extension = extension_of(format, path);
  if (!stream && extension.empty() && (!format.beside.empty() || apart))
    throw UsageError(
        fmt::format("{}: the name of a {} dictionary ends in {}", path, format.name, format.extensions.front()));
  const std::size_t of_group = 1 + format.beside.size();
  for (const std::string& name : names(format, path, source_language, target_language, both_ways)) {
    if (groups_.empty() || groups_.back().files.size() == of_group) groups_.emplace_back();
    groups_.back().files.push_back(std::make_unique<AtomicFile>(name));
  }
}

std::vector<std::string> DictionaryFiles::names(const DictionaryFormat& format, const std::string& path,
                                                const std::string& source_language, const std::string& target_language,
                                                bool both_ways) {
  const std::string extension = extension_of(format, path);
  std::vector<std::string> mains = {path.empty() ? "-" : path};
  if (both_ways && !format.both_ways)
    mains = {with_pair(path, extension, source_language + "-" + target_language),
             with_pair(path, extension, target_language + "-" + source_language)};
  std::vector<std::string> all;
  for (const std::string& main : mains) {
    all.push_back(main);
    for (const std::string& other : format.beside)
      all.push_back(main.substr(0, main.size() - std::min(extension.size(), main.size())) + other);
  }
  return all;
}

std::vector<std::string> DictionaryFiles::paths() const {
  std::vector<std::string> paths;
  for (const Group& group : groups_)
    for (const auto& file : group.files) paths.push_back(file->path());
  return paths;
}

DictionarySummary DictionaryFiles::write(std::span<const Dictionary> directions) {
  DictionarySummary summary;
  for (const Dictionary& dictionary : directions) {
    summary.entries += dictionary.entries.size();
    for (const Dictionary::Entry& entry : dictionary.entries) summary.translations += entry.translations.size();
  }
  const auto bytes_of = [&](std::size_t group) -> std::vector<std::string> {
    switch (format_.kind) {
      case DictionaryKind::tsv:
        return {to_tsv(directions[group])};
      case DictionaryKind::csv:
        return {to_csv(directions[group])};
      case DictionaryKind::json_lines:
        return {to_json_lines(directions[group])};
      case DictionaryKind::stardict:
        return to_stardict(directions[group], summary);
      case DictionaryKind::dictd:
        return to_dictd(directions[group], summary);
      case DictionaryKind::apertium:
        return {to_apertium(directions)};
      case DictionaryKind::tmx:
        return {to_tmx(directions)};
      case DictionaryKind::lift:
        return {to_lift(directions[group])};
      case DictionaryKind::tei:
        break;
    }
    return {to_tei(directions[group])};
  };
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    const std::vector<std::string> bytes = bytes_of(group);
    for (std::size_t i = 0; i < bytes.size(); ++i) groups_[group].files[i]->write(bytes[i]);
  }
  for (const Group& group : groups_)
    for (const auto& file : group.files)
      if (!file->is_stream()) file->sync();
  for (const Group& group : groups_)
    for (const auto& file : group.files) file->commit();
  return summary;
}

std::string language_tag(std::string_view text, std::string_view other) {
  // Parts of one to eight letters and digits, joined by hyphens; the first of letters, two or more (or "x").
  std::string tag;
  std::size_t part = 0;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
    const bool first = tag.find('-') == std::string::npos;
    if (c == '-' || c == '_') {
      if (part == 0 || (first && part == 1 && tag != "x")) return std::string(other);
      tag += '-';
      part = 0;
    } else if (letter || (digit && !first)) {
      tag += c;
      if (++part > 8) return std::string(other);
    } else {
      return std::string(other);
    }
  }
  const bool short_first = tag.find('-') == std::string::npos && tag.size() < 2;
  return part == 0 || short_first ? std::string(other) : tag;
}

std::string readable_word(std::string_view word, bool phrases) {
  const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(word.data());
  auto left = static_cast<utf8proc_ssize_t>(word.size());
  std::string text;
  bool visible = false;
  while (left > 0) {
    utf8proc_int32_t letter = 0;
    utf8proc_ssize_t bytes = utf8proc_iterate(at, left, &letter);
    if (bytes <= 0 || letter == 0xFFFE || letter == 0xFFFF) {
      text += "\xEF\xBF\xBD";
      bytes = std::max<utf8proc_ssize_t>(bytes, 1);
      visible = true;
    } else if (letter < 32 || (letter >= 127 && letter < 160) || letter == ' ' || (phrases && letter == '_')) {
      text += ' ';
    } else {
      text.append(reinterpret_cast<const char*>(at), static_cast<std::size_t>(bytes));
      visible = true;
    }
    at += bytes;
    left -= bytes;
  }
  // A word of `_` alone is one.
  if (!visible && phrases) return readable_word(word, false);
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "\xEF\xBF\xBD" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::string percent_text(double probability) {
  const double percent = 100 * probability;
  return percent > 99 && percent < 100 ? ">99%" : percent < 1 ? "<1%" : fmt::format("{:.0f}%", percent);
}

std::string to_tsv(const Dictionary& dictionary) {
  std::string text =
      "# source\ttarget\tp_translation\tp_first\trank\tsource_frequency\ttarget_frequency\tknown\tforms\n";
  for (const Dictionary::Entry& entry : dictionary.entries)
    for (std::size_t i = 0; i < entry.translations.size(); ++i) {
      const Dictionary::Translation& one = entry.translations[i];
      std::string forms;
      for (const std::string& form : one.forms) forms += (forms.empty() ? "" : " | ") + escape_field(form);
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", escape_field(entry.word),
                     escape_field(one.word), cell_of(one.p_translation), cell_of(one.p_first), i + 1,
                     rank_cell(entry.frequency_rank), rank_cell(one.frequency_rank), one.known ? "known" : "guessed",
                     forms);
    }
  return text;
}

std::string to_csv(const Dictionary& dictionary) {
  std::string text = "source,target,p_translation,p_first,rank,source_frequency,target_frequency,known,forms\n";
  for (const Dictionary::Entry& entry : dictionary.entries)
    for (std::size_t i = 0; i < entry.translations.size(); ++i) {
      const Dictionary::Translation& one = entry.translations[i];
      std::string forms;
      for (const std::string& form : one.forms) forms += (forms.empty() ? "" : " | ") + form;
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{}\n", csv_cell(entry.word), csv_cell(one.word),
                     cell_of(one.p_translation), cell_of(one.p_first), i + 1, rank_cell(entry.frequency_rank),
                     rank_cell(one.frequency_rank), one.known ? "known" : "guessed", csv_cell(forms));
    }
  return text;
}

std::string to_json_lines(const Dictionary& dictionary) {
  const std::string source = language_name(dictionary.source_language),
                    target = language_name(dictionary.target_language);
  std::string text;
  for (const Dictionary::Entry& entry : dictionary.entries) {
    Json translations = Json::array();
    for (const Dictionary::Translation& one : entry.translations) {
      Json object = {{"word", one.word}, {"lang", target}, {"code", dictionary.target_language}};
      if (one.p_translation) object["p_translation"] = *one.p_translation;
      if (one.p_first) object["p_first"] = *one.p_first;
      object["known"] = one.known;
      if (one.frequency_rank > 0) object["frequency_rank"] = one.frequency_rank;
      if (!one.forms.empty()) object["forms"] = one.forms;
      translations.push_back(std::move(object));
    }
    Json line = {{"word", entry.word}, {"lang", source}, {"lang_code", dictionary.source_language}};
    if (entry.frequency_rank > 0) line["frequency_rank"] = entry.frequency_rank;
    line["translations"] = std::move(translations);
    text += line.dump() + "\n";
  }
  return text;
}

}  // namespace wordbridge
