#include "hub/language_list.h"

#include <fmt/format.h>

// The library in the place of its templates, which take seconds to compile.
#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "align/registry.h"
#include "base/option_error.h"
#include "base/wording.h"
#include "io/byte_stream.h"
#include "optimize/constraint.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = std::size_t{16} << 20;

/// Names become names of files.
bool can_be_a_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && name.front() != '.' && name.front() != '-' &&
         std::ranges::none_of(name, [](unsigned char c) { return c <= ' ' || c == '/' || c == '\\' || c == 127; });
}

/// One file: every key that is taken is checked off, so that one that nobody takes is told.
class ListReader {
 public:
  explicit ListReader(const std::string& path) : path_(path), folder_(fs::path(path).parent_path()) {}

  LanguageList read(const std::string& text_of_file) {
    toml::table root;
    try {
      root = toml::parse(text_of_file, path_);
    } catch (const toml::parse_error& error) {
      throw InputError(path_, error.source().begin.line, std::string(error.description()));
    }
    LanguageList list;
    list.path = path_;
    const auto take = [&](const toml::key& key, const toml::node& node) {
      const std::string_view name = key.str();
      if (name == "pivot")
        list.pivot = text(key, node);
      else if (name == "method")
        list.method = method(key, node);
      else if (name == "normalize")
        list.normalization = text(key, node);
      else if (name == "max-words")
        list.max_words = count(key, node);
      else if (name == "joint")
        read_joint(key, node, list);
      else if (name == "options")
        list.options = options(key, node);
      else if (name == "languages")
        list.languages = languages(key, node);
      else if (name != "lexicons")
        refuse_key(key, {"pivot", "method", "normalize", "max-words", "joint", "options", "languages", "lexicons"});
    };
    for (const auto& [key, node] : root) take(key, node);
    if (const toml::node* node = root.get("lexicons")) read_lexicons(*node, list);
    try {
      list.check();
    } catch (const UsageError& error) {
      throw InputError(path_, 0, error.what());
    }
    return list;
  }

 private:
  [[noreturn]] void refuse(const toml::source_region& where, const std::string& reason) const {
    throw InputError(path_, where.begin.line, reason);
  }

  [[noreturn]] void refuse_key(const toml::key& key, const std::vector<std::string>& known) const {
    const std::string name(key.str());
    const std::string near = closest(name, known);
    refuse(key.source(), fmt::format("'{}' is not known here{}", name, near.empty() ? "" : "; '" + near + "' is"));
  }

  std::string text(const toml::key& key, const toml::node& node) const {
    if (const auto value = node.value<std::string>(); value && node.is_string()) {
      if (value->find('\0') != std::string::npos)
        refuse(node.source(), fmt::format("'{}' holds a character U+0000", key.str()));
      return *value;
    }
    refuse(node.source(), fmt::format("'{}' must be a text in quotes", key.str()));
  }

  std::size_t count(const toml::key& key, const toml::node& node) const {
    const auto value = node.value<std::int64_t>();
    if (!node.is_integer() || *value < 0)
      refuse(node.source(), fmt::format("'{}' must be a whole number from 0 up", key.str()));
    return static_cast<std::size_t>(*value);
  }

  bool flag(const toml::key& key, const toml::node& node) const {
    if (!node.is_boolean()) refuse(node.source(), fmt::format("'{}' must be true or false", key.str()));
    return *node.value<bool>();
  }

  double number(const toml::key& key, const toml::node& node) const {
    const auto value = node.value<double>();
    if (!node.is_number() || !(*value >= 0) || !std::isfinite(*value))
      refuse(node.source(), fmt::format("'{}' must be a number from 0 up", key.str()));
    return *value;
  }

  const toml::table& table(const toml::key& key, const toml::node& node) const {
    if (!node.is_table()) refuse(node.source(), fmt::format("'{}' must be a table", key.str()));
    return *node.as_table();
  }

  std::string file(const toml::key& key, const toml::node& node) const {
    const std::string name = text(key, node);
    if (name.empty()) refuse(node.source(), fmt::format("'{}' must name a file", key.str()));
    return (folder_ / name).string();  // an absolute path replaces the folder
  }

  std::string method(const toml::key& key, const toml::node& node) const {
    std::string name = text(key, node);
    try {
      align_method(name);
    } catch (const UsageError& error) {
      refuse(node.source(), error.what());
    }
    return name;
  }

  /// As on the command line of `align`: checked where the alignment is planned.
  std::map<std::string, OptionValue> options(const toml::key& of, const toml::node& node) const {
    std::map<std::string, OptionValue> result;
    for (const auto& [key, value] : table(of, node)) {
      std::ostringstream written;
      if (value.is_string())
        written << *value.value<std::string>();
      else if (value.is_boolean() || value.is_integer() || value.is_floating_point())
        value.visit([&](const auto& item) { written << item; });
      else
        refuse(value.source(), fmt::format("'{}' must be a text, a number, true or false", key.str()));
      std::string written_text = written.str();
      if (is_file_option(std::string(key.str())) && !is_named_start(written_text))
        written_text = (folder_ / written_text).string();
      result.emplace(std::string(key.str()), written_text);
    }
    return result;
  }

  /// `joint = true`, or a table of settings, which says the same.
  void read_joint(const toml::key& of, const toml::node& node, LanguageList& list) const {
    list.joint = !node.is_table() && !node.is_boolean() ? flag(of, node) : node.is_table() || *node.value<bool>();
    if (!node.is_table()) return;
    JointOptions& options = list.joint_options;
    for (const auto& [key, value] : *node.as_table()) {
      if (key.str() == "joined-weight")
        options.joined_weight = number(key, value);
      else if (key.str() == "rounds")
        options.rounds = static_cast<int>(std::min<std::size_t>(count(key, value), 1000));
      else if (key.str() == "epochs")
        options.epochs = static_cast<int>(std::min<std::size_t>(count(key, value), 100'000));
      else if (key.str() == "learning-rate")
        options.learning_rate = number(key, value);
      else if (key.str() == "constraint")
        options.constraint = constraint(key, value);
      else
        refuse_key(key, {"joined-weight", "rounds", "epochs", "learning-rate", "constraint"});
    }
  }

  std::string constraint(const toml::key& key, const toml::node& node) const {
    std::string name = text(key, node);
    try {
      make_constraint(name);
    } catch (const UsageError& error) {
      refuse(node.source(), error.what());
    }
    return name;
  }

  bool is_file_option(const std::string& name) const {
    const auto* option = known_.find(name);
    return option != nullptr && option->info().is_file;
  }

  std::vector<LanguageEntry> languages(const toml::key& of, const toml::node& node) const {
    std::vector<LanguageEntry> result;
    for (const auto& [name, settings] : table(of, node)) {
      LanguageEntry language{std::string(name.str()), {}};
      if (!can_be_a_name(language.name))
        refuse(name.source(),
               fmt::format("'{}' cannot be the name of a language: it becomes that of a file", language.name));
      for (const auto& [key, value] : table(name, settings)) {
        if (key.str() == "vectors")
          language.vectors = file(key, value);
        else if (key.str() == "method")
          language.method = method(key, value);
        else if (key.str() == "options")
          language.options = options(key, value);
        else
          refuse_key(key, {"vectors", "method", "options"});
      }
      if (language.vectors.empty()) refuse(name.source(), fmt::format("'{}' has no 'vectors'", language.name));
      result.push_back(std::move(language));
    }
    std::ranges::sort(result, {}, &LanguageEntry::name);
    return result;
  }

  void read_lexicons(const toml::node& node, LanguageList& list) const {
    const auto* lexicons = node.as_table();
    if (lexicons == nullptr) refuse(node.source(), "'lexicons' must be a table");
    for (const auto& [name, files] : *lexicons) {
      const auto pair = parse_pair_name(std::string(name.str()), list.languages);
      if (!pair)
        refuse(name.source(),
               fmt::format("'{}' does not name two languages of the list, as 'es-en' would", name.str()));
      PairLexicons& found = list.lexicons[*pair];
      for (const auto& [key, value] : table(name, files)) {
        if (key.str() == "train")
          found.train = file(key, value);
        else if (key.str() == "validation")
          found.validation = file(key, value);
        else if (key.str() == "test")
          found.test = file(key, value);
        else
          refuse_key(key, {"train", "validation", "test"});
      }
    }
  }

  std::string path_;
  fs::path folder_;
  const AlignOptionList known_ = all_align_options();
};

}  // namespace

const LanguageEntry* LanguageList::find(const std::string& name) const {
  const auto found = std::ranges::lower_bound(languages, name, {}, &LanguageEntry::name);
  return found == languages.end() || found->name != name ? nullptr : &*found;
}

const PairLexicons* LanguageList::lexicons_of(const std::string& source, const std::string& target) const {
  const auto found = lexicons.find({source, target});
  return found == lexicons.end() ? nullptr : &found->second;
}

AlignOptions LanguageList::options_of(const LanguageEntry& language) const {
  AlignOptions result{.method = language.method.empty() ? method : language.method,
                      .options = language.options,
                      .normalization = normalization};
  // The options of the hub are for its method; a language with a method of its own has its own options.
  if (language.method.empty() || language.method == method) result.options.insert(options.begin(), options.end());
  if (result.normalization.empty()) result.normalization = align_method(method).normalization;
  return result;
}

void LanguageList::check() {
  std::ranges::sort(languages, {}, &LanguageEntry::name);
  for (const LanguageEntry& language : languages)
    if (!can_be_a_name(language.name))
      throw UsageError(fmt::format("'{}' cannot be the name of a language: it becomes that of a file", language.name));
  const auto twice = std::ranges::adjacent_find(languages, {}, &LanguageEntry::name);
  if (twice != languages.end()) throw UsageError(fmt::format("the language '{}' is named twice", twice->name));
  if (pivot.empty()) throw UsageError("the pivot is missing, the language that the others are aligned to");
  if (find(pivot) == nullptr) throw UsageError(fmt::format("the pivot '{}' is not among the languages", pivot));
  if (languages.size() < 2) throw UsageError(fmt::format("there is no language beside the pivot '{}'", pivot));
  for (const auto& [pair, files] : lexicons)
    if (pair.first == pair.second || find(pair.first) == nullptr || find(pair.second) == nullptr)
      throw UsageError(
          fmt::format("the lexicon {}-{} is not between two languages of the list", pair.first, pair.second));
}

LanguageList read_language_list(const std::string& path) {
  return parse_language_list(read_whole(path, kMostBytes, "a list of languages"), path);
}

LanguageList parse_language_list(const std::string& text, const std::string& path) {
  return ListReader(path).read(text);
}

std::optional<LanguagePair> parse_pair_name(const std::string& name, const std::vector<LanguageEntry>& languages) {
  const auto known = [&](const std::string& language) {
    return std::ranges::binary_search(languages, language, {}, &LanguageEntry::name);
  };
  for (std::size_t dash = name.find('-'); dash != std::string::npos; dash = name.find('-', dash + 1)) {
    LanguagePair pair{name.substr(0, dash), name.substr(dash + 1)};
    if (pair.first != pair.second && known(pair.first) && known(pair.second)) return pair;
  }
  return std::nullopt;
}

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
