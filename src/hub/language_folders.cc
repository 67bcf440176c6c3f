#include "hub/language_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

#include "base/option_error.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kCompressions = {".gz", ".zst", ".xz", ".bz2"};
constexpr std::array<std::string_view, 4> kVectorFiles = {".wbvec", ".vec", ".bin", ".w2v"};
constexpr std::array<std::string_view, 3> kCorpora = {"wiki", "cc", "crawl"};

bool take_end(std::string& name, std::string_view end) {
  if (!name.ends_with(end)) return false;
  name.resize(name.size() - end.size());
  return true;
}

/// The files of a folder, by name.
std::vector<fs::path> files_of(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) files.push_back(at->path());
  }
  if (error) throw IoError(folder, "cannot read the folder", error.value());
  std::ranges::sort(files);
  return files;
}

bool is_native(const std::string& path) { return path.ends_with(".wbvec"); }

void add_file(std::map<std::string, std::string>& found, const std::string& language, const std::string& path) {
  const auto [at, is_new] = found.emplace(language, path);
  if (is_new || (is_native(at->second) && !is_native(path))) return;
  if (is_native(at->second) == is_native(path))
    throw UsageError(fmt::format("{} and {} are both vectors of '{}': leave one", at->second, path, language));
  at->second = path;
}

/// The place for a file by the part of its name behind the languages: "train", "0-5000"; nullptr where it is none.
std::string* place_of(PairLexicons& lexicons, std::string_view kind) {
  if (kind.empty() || kind == "train" || kind == "0-5000") return &lexicons.train;
  if (kind == "validation") return &lexicons.validation;
  if (kind == "test" || kind == "5000-6500") return &lexicons.test;
  return nullptr;
}

void find_lexicons(LanguageList& list, const std::string& folder) {
  for (const fs::path& file : files_of(folder)) {
    std::string name = file.filename().string();
    if (!take_end(name, ".txt") && !take_end(name, ".tsv")) continue;
    const std::size_t dot = name.find('.');
    const std::string kind = dot == std::string::npos ? "" : name.substr(dot + 1);
    const auto pair = parse_pair_name(name.substr(0, dot), list.languages);
    PairLexicons none;
    if (!pair || place_of(none, kind) == nullptr) continue;
    std::string& place = *place_of(list.lexicons[*pair], kind);
    // MUSE has es-en.txt, of which es-en.0-5000.txt is the part to learn from.
    if (place.empty() || (!kind.empty() && place.ends_with(name.substr(0, dot) + ".txt"))) place = file.string();
  }
}

}  // namespace

std::string language_of_file(const std::string& path) {
  std::string name = fs::path(path).filename().string();
  for (const std::string_view end : kCompressions)
    if (take_end(name, end)) break;
  if (std::ranges::none_of(kVectorFiles, [&](std::string_view end) { return take_end(name, end); })) return {};
  std::string language;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t digits = std::min(part.find_first_not_of("0123456789"), part.size());
    const bool is_number = digits == part.size() || (digits > 0 && part.substr(digits) == "k");  // "300", "50k"
    if (is_number || std::ranges::find(kCorpora, part) != kCorpora.end()) continue;
    if (!language.empty()) return {};
    language = part;
  }
  return language;
}

LanguageList find_languages(const std::string& pivot, const std::string& vectors, const std::string& lexicons) {
  std::map<std::string, std::string> found;
  for (const fs::path& file : files_of(vectors))
    if (const std::string language = language_of_file(file.string()); !language.empty())
      add_file(found, language, file.string());
  LanguageList list;
  if (found.contains(pivot)) {
    list.pivot = pivot;
  } else {
    list.pivot = language_of_file(pivot);
    if (list.pivot.empty())
      throw OptionError(OptionName("pivot", pivot) +
                        ": a file of vectors named after its language is expected, such as en.vec, or a language of " +
                        vectors);
    found[list.pivot] = pivot;
  }
  for (const auto& [language, path] : found) list.languages.push_back({language, path});
  list.check();
  find_lexicons(list, lexicons);
  return list;
}

}  // namespace wordbridge
