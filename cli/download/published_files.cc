#include "cli/download/published_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>

#include "base/json.h"
#include "io/byte_stream.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

extern const char* const kPublishedFiles;  // published_files_json.cc.in

namespace {

/// Any two codes of two letters; written so because two question marks and a dash are a trigraph.
constexpr const char* kAnyPair = "?\?-?\?";

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

void require_language(const std::string& language) {
  constexpr std::size_t kMost = 20;
  const auto usual = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; };
  if (language.size() < 2 || language.size() > kMost || !std::ranges::all_of(language, usual))
    throw UsageError(fmt::format("'{}' is no language: a code as fr or zh_min_nan is expected", language));
}

std::map<std::string, std::string> checksums(const Json& entry, const char* kind, std::size_t digits) {
  std::map<std::string, std::string> result;
  const Json* given = entry.find(kind);
  if (given == nullptr) return result;
  for (const auto& [name, value] : given->items()) {
    const auto text = value.template get<std::string>();
    if (text.size() != digits || text.find_first_not_of("0123456789abcdef") != std::string::npos)
      throw JsonError(fmt::format("{} of {} is none", kind, name));
    result.emplace(name, text);
  }
  return result;
}

/// A name stays below its folder, and an address is what libcurl may get.
bool is_safe(const std::string& name) {
  return !name.empty() && name.front() != '/' && ("/" + name + "/").find("/../") == std::string::npos &&
         std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x21 || c == '\\'; });
}

}  // namespace

PublishedFiles PublishedFiles::usual() { return parse(kPublishedFiles, "the program's table of files"); }

PublishedFiles PublishedFiles::read(const std::string& path) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  return parse(read_whole(path, kMostBytes, "a list of sources"), path);
}

PublishedFiles PublishedFiles::parse(std::string_view json, const std::string& path) {
  PublishedFiles result;
  try {
    const Json list = Json::parse(json);
    if (!list.is_array()) throw JsonError("no list");
    for (const Json& given : list) {
      Entry entry{.pattern = given.value("files", ""),
                  .from = given.value("from", ""),
                  .url = given.value("url", ""),
                  .set = given.value("vectors", ""),
                  .lexicon = given.value("lexicon", false),
                  .zipped = given.value("zipped", false),
                  .sha256 = checksums(given, "sha256", 64),
                  .md5 = checksums(given, "md5", 32)};
      if (entry.pattern.empty()) throw JsonError("an entry without files");
      if (!entry.url.empty() && entry.url.find("://") == std::string::npos)
        throw JsonError(entry.url + " is no address");
      result.entries_.push_back(std::move(entry));
    }
  } catch (const JsonError& error) {
    throw InputError(path, 0,
                     fmt::format("a list of {{\"files\", \"from\", \"url\", ...}} is wanted ({})", error.what()));
  }
  return result;
}

PublishedFiles::File PublishedFiles::find(const std::string& name) const {
  if (!is_safe(name)) throw UsageError(fmt::format("'{}' is no name of a file to download", name));
  const auto of = [&](const std::map<std::string, std::string>& sums) {
    const auto found = sums.find(name);
    return found == sums.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  for (const Entry& entry : entries_)
    if (::fnmatch(entry.pattern.c_str(), name.c_str(), 0) == 0)
      return {name, entry.from, replaced(entry.url, "{name}", name), entry.zipped, of(entry.sha256), of(entry.md5)};
  return {.name = name, .from = {}, .url = {}};
}

std::vector<std::string> PublishedFiles::sets() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_)
    if (!entry.set.empty()) names.push_back(entry.set);
  return names;
}

std::string PublishedFiles::vectors(const std::string& language, const std::string& set) const {
  require_language(language);
  for (const Entry& entry : entries_)
    if (entry.set == set) return replaced(entry.pattern, "*", language);
  throw UsageError(fmt::format("'{}' is no set of vectors: {} are known", set, fmt::join(sets(), ", ")));
}

std::vector<std::string> PublishedFiles::lexicons(const std::string& pair) const {
  const std::size_t dash = pair.find('-');
  if (dash == std::string::npos || dash == 0 || dash + 1 == pair.size())
    throw UsageError(fmt::format("'{}' is no pair of languages, as en-fr", pair));
  require_language(pair.substr(0, dash));
  require_language(pair.substr(dash + 1));
  std::vector<std::string> names;
  for (const Entry& entry : entries_)
    if (entry.lexicon) names.push_back(replaced(entry.pattern, kAnyPair, pair));
  return names;
}

std::string mirrored(const std::string& url, const std::string& mirror) {
  if (mirror.empty()) return url;
  const std::size_t host = url.find("://");
  const std::size_t path = host == std::string::npos ? std::string::npos : url.find('/', host + 3);
  const std::string base = mirror.ends_with('/') ? mirror.substr(0, mirror.size() - 1) : mirror;
  return base + (path == std::string::npos ? "" : url.substr(path));
}

}  // namespace wordbridge::cli
