#pragma once
#include <map>
#include <optional>
#include <string>

namespace wordbridge {

/// Results of long work, kept in a folder under keys that say what they depend on: the same key, the same result. What
/// was finished before an interruption is there afterwards.
class ResultCache {
 public:
  /// Makes the folder where it is missing; `fresh`: forgets nothing, but finds nothing from before either.
  ResultCache(std::string folder, bool fresh);

  /// The key for some named parts.
  static std::string key_of(const std::map<std::string, std::string>& parts);

  std::optional<std::string> find(const std::string& key) const;
  void store(const std::string& key, const std::string& text);

  /// Where a file with that key belongs ("<folder>/<key>.wbmap"), and whether it is there and may be used.
  std::string path_of(const std::string& key, const std::string& extension) const;
  bool has(const std::string& key, const std::string& extension) const;
  /// To be called when the file of that key was made now.
  void made(const std::string& key) { made_[key] = true; }

  /// SHA-256 of a file; remembered by its path, size and time, so that large files are read once.
  std::string digest(const std::string& path) const;
  /// The same where it is remembered; nothing is read then.
  std::optional<std::string> known_digest(const std::string& path) const;

 private:
  std::string digest_path(const std::string& path) const;

  std::string folder_;
  bool fresh_;
  std::map<std::string, bool> made_;  // keys of this run
};

}  // namespace wordbridge
