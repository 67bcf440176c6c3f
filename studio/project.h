#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

struct sqlite3;

namespace wordbridge::studio {

enum class Verdict { accepted, rejected, skipped };
std::string_view name_of(Verdict verdict);
/// Nothing for another word.
std::optional<Verdict> parse_verdict(std::string_view name);

/// What somebody decided about a pair of words; of a word that is put aside the target is empty.
struct Decision {
  std::int64_t id = 0;
  std::string source = {}, target = {};
  Verdict verdict = Verdict::accepted;
  std::string author = {};
  std::string time = {};     // "2026-11-19T04:05:06.789Z"
  std::int64_t mapping = 0;  // that suggested it; 0: none
  bool undone = false;

  Json to_json() const;
};

/// A mapping of the project's history.
struct MappingRecord {
  std::int64_t id = 0;
  std::string name;   // what it is, for people
  std::string state;  // "given", "candidate", "kept", "dropped", "base"
  std::string time = {};
  Json facts = Json::object();  // scores and how it was made
};

/// Which vectors a project belongs to.
struct ProjectIdentity {
  std::string source, target;  // digests of their words
  std::string source_name = {}, target_name = {};
};

/// What people did with a pair of languages, in one file: an SQLite database with decisions, mappings, maps and
/// settings. What is written is on the disk when the call returns, and a program that is killed at any moment loses
/// nothing of it. For many threads, and several programs at a time.
class Project {
 public:
  static constexpr int kVersion = 2;  // of the tables

  /// Opens a project, or makes a new one. InputError where the file is damaged, none of ours, of a later version, or of
  /// other vectors.
  Project(const std::string& path, const ProjectIdentity& identity);
  ~Project();
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;

  const std::string& path() const { return path_; }

  /// Writes it down, with the time; gives it with its number.
  Decision decide(Decision decision);
  /// The same for many at once, all or none; how many there were.
  std::size_t decide_all(const std::vector<Decision>& decisions);
  /// Takes one back; nothing where there is none of this number that stands.
  std::optional<Decision> undo(std::int64_t id);
  /// Those that were made, the latest first, from number `before` (0: the latest) on downwards.
  std::vector<Decision> decisions(std::int64_t before, std::size_t count);
  /// Of each pair and each word that is put aside the last decision that was not undone, in the order they were made.
  std::vector<Decision> standing();
  /// The one of a pair, where there is one.
  std::optional<Decision> standing(const std::string& source, const std::string& target);

  /// The bytes of a mapping file; its number.
  std::int64_t add_mapping(const MappingRecord& record, std::string_view bytes);
  std::vector<MappingRecord> mappings();
  std::optional<MappingRecord> mapping(std::int64_t id);
  std::string mapping_bytes(std::int64_t id);
  void set_state(std::int64_t id, const std::string& state);
  void set_facts(std::int64_t id, const Json& facts);

  std::string setting(const std::string& name, const std::string& otherwise = "");
  void set(const std::string& name, const std::string& value);

  /// Maps by name, for a mapping.
  void keep_map(std::int64_t mapping, const std::string& name, std::string_view bytes);
  std::optional<std::string> map(std::int64_t mapping, const std::string& name);

  /// Another number whenever another program has written.
  std::int64_t written_elsewhere();

 private:
  class Statement;
  class Transaction;
  void execute(const char* sql);
  void migrate();
  void require_same(const ProjectIdentity& identity);
  Decision insert(Decision decision);
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  mutable std::mutex mutex_;
  sqlite3* database_ = nullptr;
};

}  // namespace wordbridge::studio
