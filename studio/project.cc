#include "studio/project.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <cerrno>
#include <utility>

#include "wordbridge/error.h"

namespace wordbridge::studio {

namespace {

constexpr int kApplication = 0x57427072;  // "WBpr"
constexpr int kBusyWait = 10'000;         // milliseconds, where another program writes

/// From each version of the tables to the next.
constexpr std::array<const char*, Project::kVersion> kMigrations = {
    R"(CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
       CREATE TABLE mappings (
         id INTEGER PRIMARY KEY AUTOINCREMENT,
         name TEXT NOT NULL,
         state TEXT NOT NULL CHECK (state IN ('given', 'candidate', 'kept', 'dropped', 'base')),
         time TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
         facts TEXT NOT NULL,
         bytes BLOB NOT NULL);
       CREATE TABLE decisions (
         id INTEGER PRIMARY KEY AUTOINCREMENT,
         source TEXT NOT NULL,
         target TEXT NOT NULL,
         verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'rejected', 'skipped')),
         author TEXT NOT NULL,
         time TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
         mapping INTEGER REFERENCES mappings (id),
         undone TEXT);
       CREATE INDEX decisions_by_pair ON decisions (source, target);)",
    R"(CREATE TABLE maps (
         mapping INTEGER REFERENCES mappings (id),
         name TEXT NOT NULL,
         bytes BLOB NOT NULL,
         UNIQUE (mapping, name));)",
};

constexpr const char* kDecisionColumns =
    "id, source, target, verdict, author, time, ifnull(mapping, 0), undone IS NOT NULL";

}  // namespace

std::string_view name_of(Verdict verdict) {
  return verdict == Verdict::accepted ? "accepted" : verdict == Verdict::rejected ? "rejected" : "skipped";
}

std::optional<Verdict> parse_verdict(std::string_view name) {
  for (const Verdict verdict : {Verdict::accepted, Verdict::rejected, Verdict::skipped})
    if (name == name_of(verdict)) return verdict;
  return std::nullopt;
}

Json Decision::to_json() const {
  return {{"id", id},         {"source", source}, {"target", target},   {"verdict", name_of(verdict)},
          {"author", author}, {"time", time},     {"mapping", mapping}, {"undone", undone}};
}

/// A statement of SQL, with what is put in its places.
class Project::Statement {
 public:
  Statement(const Project& project, const std::string& sql) : project_(project) {
    if (sqlite3_prepare_v2(project.database_, sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK)
      project.fail("cannot be read");
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& put(std::string_view text) {
    check(sqlite3_bind_text64(statement_, ++place_, text.data() == nullptr ? "" : text.data(), text.size(),
                              SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
  }
  Statement& put_bytes(std::string_view bytes) {
    check(sqlite3_bind_blob64(statement_, ++place_, bytes.data() == nullptr ? "" : bytes.data(), bytes.size(),
                              SQLITE_STATIC));
    return *this;
  }
  Statement& put(std::int64_t number) {
    check(sqlite3_bind_int64(statement_, ++place_, number));
    return *this;
  }
  /// 0 is no number of anything.
  Statement& put_reference(std::int64_t number) {
    check(number == 0 ? sqlite3_bind_null(statement_, ++place_) : sqlite3_bind_int64(statement_, ++place_, number));
    return *this;
  }

  /// The next row, where there is one.
  bool step() {
    const int result = sqlite3_step(statement_);
    if (result != SQLITE_ROW && result != SQLITE_DONE) project_.fail("cannot be read or written");
    return result == SQLITE_ROW;
  }
  std::string text(int column) const {
    const void* bytes = sqlite3_column_blob(statement_, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
  }
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }

  Decision decision() const {
    Decision decision{number(0), text(1), text(2), Verdict::skipped, text(4), text(5), number(6), number(7) != 0};
    decision.verdict = parse_verdict(text(3)).value_or(Verdict::skipped);
    return decision;
  }
  MappingRecord mapping() const {
    MappingRecord record{number(0), text(1), text(2), text(3)};
    try {
      record.facts = Json::parse(text(4));
    } catch (const JsonError&) {
      throw InputError(project_.path_, 0, "is damaged: what is said of a mapping is no JSON");
    }
    return record;
  }

 private:
  void check(int result) const {
    if (result != SQLITE_OK) project_.fail("cannot be written");
  }

  const Project& project_;
  sqlite3_stmt* statement_ = nullptr;
  int place_ = 0;
};

/// All of it, or nothing.
class Project::Transaction {
 public:
  explicit Transaction(Project& project) : project_(project) { project_.execute("BEGIN IMMEDIATE"); }
  ~Transaction() {
    if (!committed_) sqlite3_exec(project_.database_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    project_.execute("COMMIT");
    committed_ = true;
  }

 private:
  Project& project_;
  bool committed_ = false;
};

Project::Project(const std::string& path, const ProjectIdentity& identity) : path_(path) {
  if (sqlite3_open_v2(path.c_str(), &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK) {
    const int error = database_ == nullptr ? ENOMEM : sqlite3_system_errno(database_);
    sqlite3_close(database_);
    throw IoError(path, "cannot open", error == 0 ? EIO : error);
  }
  try {
    sqlite3_busy_timeout(database_, kBusyWait);
    sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    execute("PRAGMA trusted_schema = OFF");
    execute("PRAGMA foreign_keys = ON");
    migrate();
    require_same(identity);
  } catch (...) {
    sqlite3_close(database_);
    throw;
  }
}

Project::~Project() { sqlite3_close(database_); }

void Project::fail(const char* what) const {
  const int code = sqlite3_errcode(database_);
  const std::string reason = sqlite3_errmsg(database_);
  if (code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_READONLY || code == SQLITE_CANTOPEN) {
    const int error = sqlite3_system_errno(database_);
    throw IoError(path_, "cannot write", error != 0 ? error : code == SQLITE_READONLY ? EACCES : EIO);
  }
  throw InputError(path_, 0, fmt::format("{}: {}", what, reason));
}

void Project::execute(const char* sql) {
  if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("cannot be read or written");
}

/// A new file gets its tables, one of an earlier version those that it does not have.
void Project::migrate() {
  const auto pragma = [&](const char* sql) {
    Statement statement(*this, sql);
    statement.step();
    return statement.number(0);
  };
  const bool is_new = pragma("SELECT count(*) FROM sqlite_schema") == 0;
  if (!is_new && pragma("PRAGMA application_id") != kApplication)
    throw InputError(path_, 0, "is a database, but no project of the studio");
  const std::int64_t version = pragma("PRAGMA user_version");
  if (version > kVersion || version < 0)
    throw InputError(
        path_, 0, fmt::format("is a project of version {}; this program knows versions up to {}", version, kVersion));
  if (!is_new) {
    Statement check(*this, "PRAGMA quick_check(1)");
    if (!check.step() || check.text(0) != "ok") throw InputError(path_, 0, "is damaged: " + check.text(0));
  }
  // What is committed is on the disk, and readers do not wait for writers.
  execute("PRAGMA journal_mode = WAL");
  execute("PRAGMA synchronous = FULL");
  if (version == kVersion) return;
  Transaction transaction(*this);
  for (std::int64_t next = pragma("PRAGMA user_version"); next < kVersion; ++next)
    execute(kMigrations[static_cast<std::size_t>(next)]);
  execute(fmt::format("PRAGMA user_version = {}", kVersion).c_str());
  execute(fmt::format("PRAGMA application_id = {}", kApplication).c_str());
  transaction.commit();
}

void Project::require_same(const ProjectIdentity& identity) {
  for (const auto& [side, digest, name] : {std::tuple("source", identity.source, identity.source_name),
                                           std::tuple("target", identity.target, identity.target_name)}) {
    const std::string known = setting(fmt::format("{} words", side));
    if (known.empty()) {
      set(fmt::format("{} words", side), digest);
      set(fmt::format("{} name", side), name);
    } else if (known != digest) {
      throw InputError(path_, 0,
                       fmt::format("is a project of other {} words, those of '{}': give another --project", side,
                                   setting(fmt::format("{} name", side))));
    }
  }
}

Decision Project::insert(Decision decision) {
  Statement statement(*this,
                      "INSERT INTO decisions (source, target, verdict, author, mapping) VALUES (?, ?, ?, ?, ?) "
                      "RETURNING id, time");
  statement.put(decision.source).put(decision.target).put(name_of(decision.verdict)).put(decision.author);
  statement.put_reference(decision.mapping);
  statement.step();
  decision.id = statement.number(0);
  decision.time = statement.text(1);
  while (statement.step()) {
  }
  return decision;
}

Decision Project::decide(Decision decision) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(*this);
  Decision made = insert(std::move(decision));
  transaction.commit();
  return made;
}

std::size_t Project::decide_all(const std::vector<Decision>& decisions) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(*this);
  for (const Decision& decision : decisions) insert(decision);
  transaction.commit();
  return decisions.size();
}

std::optional<Decision> Project::undo(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(*this);
  std::optional<Decision> undone;
  {
    Statement statement(*this, fmt::format("UPDATE decisions SET undone = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') "
                                           "WHERE id = ? AND undone IS NULL RETURNING {}",
                                           kDecisionColumns));
    statement.put(id);
    if (statement.step()) undone = statement.decision();
    while (undone && statement.step()) {
    }
  }
  transaction.commit();
  return undone;
}

std::vector<Decision> Project::decisions(std::int64_t before, std::size_t count) {
  const std::lock_guard lock(mutex_);
  Statement statement(*this, fmt::format("SELECT {} FROM decisions WHERE ?1 = 0 OR id < ?1 ORDER BY id DESC LIMIT ?2",
                                         kDecisionColumns));
  statement.put(before).put(static_cast<std::int64_t>(count));
  std::vector<Decision> result;
  while (statement.step()) result.push_back(statement.decision());
  return result;
}

std::vector<Decision> Project::standing() {
  const std::lock_guard lock(mutex_);
  Statement statement(*this, fmt::format("SELECT {} FROM decisions WHERE id IN (SELECT max(id) FROM decisions "
                                         "WHERE undone IS NULL GROUP BY source, target) ORDER BY id",
                                         kDecisionColumns));
  std::vector<Decision> result;
  while (statement.step()) result.push_back(statement.decision());
  return result;
}

std::optional<Decision> Project::standing(const std::string& source, const std::string& target) {
  const std::lock_guard lock(mutex_);
  Statement statement(*this, fmt::format("SELECT {} FROM decisions WHERE source = ? AND target = ? AND undone IS NULL "
                                         "ORDER BY id DESC LIMIT 1",
                                         kDecisionColumns));
  statement.put(source).put(target);
  return statement.step() ? std::optional(statement.decision()) : std::nullopt;
}

std::int64_t Project::add_mapping(const MappingRecord& record, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  Transaction transaction(*this);
  std::int64_t id = 0;
  {
    Statement statement(*this, "INSERT INTO mappings (name, state, facts, bytes) VALUES (?, ?, ?, ?)");
    statement.put(record.name).put(record.state).put(record.facts.dump()).put_bytes(bytes);
    statement.step();
    id = sqlite3_last_insert_rowid(database_);
  }
  transaction.commit();
  return id;
}

std::vector<MappingRecord> Project::mappings() {
  const std::lock_guard lock(mutex_);
  Statement statement(*this, "SELECT id, name, state, time, facts FROM mappings ORDER BY id");
  std::vector<MappingRecord> result;
  while (statement.step()) result.push_back(statement.mapping());
  return result;
}

std::optional<MappingRecord> Project::mapping(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  Statement statement(*this, "SELECT id, name, state, time, facts FROM mappings WHERE id = ?");
  statement.put(id);
  return statement.step() ? std::optional(statement.mapping()) : std::nullopt;
}

std::string Project::mapping_bytes(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  Statement statement(*this, "SELECT bytes FROM mappings WHERE id = ?");
  statement.put(id);
  if (!statement.step()) throw InputError(path_, 0, fmt::format("has no mapping {}", id));
  return statement.text(0);
}

void Project::set_state(std::int64_t id, const std::string& state) {
  const std::lock_guard lock(mutex_);
  Statement(*this, "UPDATE mappings SET state = ? WHERE id = ?").put(state).put(id).step();
}

void Project::set_facts(std::int64_t id, const Json& facts) {
  const std::lock_guard lock(mutex_);
  Statement(*this, "UPDATE mappings SET facts = ? WHERE id = ?").put(facts.dump()).put(id).step();
}

std::string Project::setting(const std::string& name, const std::string& otherwise) {
  const std::lock_guard lock(mutex_);
  Statement statement(*this, "SELECT value FROM settings WHERE name = ?");
  statement.put(name);
  return statement.step() ? statement.text(0) : otherwise;
}

void Project::set(const std::string& name, const std::string& value) {
  const std::lock_guard lock(mutex_);
  Statement(*this, "INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
      .put(name)
      .put(value)
      .step();
}

void Project::keep_map(std::int64_t mapping, const std::string& name, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  Statement(*this, "INSERT INTO maps VALUES (?, ?, ?) ON CONFLICT (mapping, name) DO UPDATE SET bytes = excluded.bytes")
      .put_reference(mapping)
      .put(name)
      .put_bytes(bytes)
      .step();
}

std::optional<std::string> Project::map(std::int64_t mapping, const std::string& name) {
  const std::lock_guard lock(mutex_);
  Statement statement(*this, "SELECT bytes FROM maps WHERE mapping IS ? AND name = ?");
  statement.put_reference(mapping).put(name);
  return statement.step() ? std::optional(statement.text(0)) : std::nullopt;
}

std::int64_t Project::written_elsewhere() {
  const std::lock_guard lock(mutex_);
  Statement statement(*this, "PRAGMA data_version");
  statement.step();
  return statement.number(0);
}

}  // namespace wordbridge::studio
