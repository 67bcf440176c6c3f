#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wordbridge::cli {

/// Where files of vectors, lexicons and tests are published: the table of experiments/sources.json, which the program
/// has with it. Each entry is a pattern of names ("wiki.*.vec"), the first one that fits counts.
class PublishedFiles {
 public:
  struct File {
    std::string name;
    std::string from;  // for people; empty: nobody knows
    std::string url;   // empty: it is not to be downloaded as it is
    bool zipped = false;
    std::optional<std::string> sha256 = std::nullopt, md5 = std::nullopt;
  };

  /// The one that the program was built with.
  static PublishedFiles usual();
  /// InputError for a file that is no such table.
  static PublishedFiles read(const std::string& path);
  static PublishedFiles parse(std::string_view json, const std::string& path);

  File find(const std::string& name) const;
  /// The file of a language ("fr") in a set ("wiki", "crawl"), and those of a pair of languages ("en-fr").
  /// UsageError for what is no language, and for unknown sets.
  std::string vectors(const std::string& language, const std::string& set) const;
  std::vector<std::string> lexicons(const std::string& pair) const;
  std::vector<std::string> sets() const;

 private:
  struct Entry {
    std::string pattern, from, url, set;
    bool lexicon = false, zipped = false;
    std::map<std::string, std::string> sha256, md5;  // by name
  };
  std::vector<Entry> entries_;
};

/// The address under another place: what follows its host, behind `mirror`.
std::string mirrored(const std::string& url, const std::string& mirror);

}  // namespace wordbridge::cli
