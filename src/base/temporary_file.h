#pragma once
#include <filesystem>
#include <string>

namespace wordbridge {

/// A file that goes away with its process, however that ends, unless it is moved to its place. It has no name where the
/// file system has such files (O_TMPFILE); else, and for the moment in which it replaces another file, a hidden one,
/// which names the boot of the machine. Such names of processes that were killed are swept away by the first
/// TemporaryFile of a later process in that folder: those of this boot whose lock (flock) nobody holds any more, never
/// those of living processes or of other machines.
class TemporaryFile {
 public:
  /// In that folder; empty: the current one. IoError, about `shown`, where it cannot be created.
  TemporaryFile(std::filesystem::path folder, std::string shown);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// For reading and writing.
  int descriptor() const { return descriptor_; }
  /// Gives it its name, in the same folder, at once in the place of a file of that name. IoError where that fails: then
  /// an older file is as it was.
  void move_to(const std::string& path);

  /// Deletes the hidden names of all live TemporaryFiles (of the first 64), none of which can be moved to its place any
  /// more. Async-signal-safe: made for handlers of SIGINT and SIGTERM.
  static void remove_all() noexcept;

  /// For tests of file systems that have no files without names.
  static void always_use_names(bool always);

 private:
  void create_named();
  bool create_nameless();
  void replace(const std::string& path, const std::string& own_path);
  [[noreturn]] void fail(const char* what, int error_number);

  std::filesystem::path folder_;
  std::string shown_;
  std::string name_;  // its path, where it has one
  int descriptor_ = -1;
  int slot_ = -1;  // in the registry that remove_all() walks
};

}  // namespace wordbridge
