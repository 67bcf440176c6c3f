#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

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

/// A file that appears whole or not at all: bytes go to a temporary file in the same folder; commit() syncs it and
/// moves it into place. Destroyed without commit(), it leaves nothing behind and an older file of that name untouched.
/// A file that is replaced keeps its mode; a symbolic link stays one, and what it leads to is replaced. The constructor
/// already fails where the folder is missing or not writable, so errors come before the work.
///
/// A pipe or a device cannot be replaced, and neither can standard output, which the path `-` stands for: there the
/// bytes are gathered in a temporary file elsewhere, so that headers can be mended, and passed on by commit().
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Replaces bytes already written, for headers whose counts are known at the end only.
  void overwrite(std::uint64_t offset, const void* data, std::size_t bytes);
  /// Replaces `bytes` bytes at `offset` by a text that is no shorter; all that follows moves. Slow: for a header that
  /// outgrew its place.
  void splice(std::uint64_t offset, std::size_t bytes, std::string_view text);
  /// Brings all bytes to the disk, after which commit() has only a name to give: for files that belong together.
  void sync();
  void commit();

  /// The final path, as given; "standard output" for `-`.
  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  /// True for a pipe, a device or standard output.
  bool is_stream() const { return stream_ >= 0; }

  /// Deletes the temporary files of all live AtomicFiles (of the first 64), which can then no longer be committed.
  /// Async-signal-safe: made for handlers of SIGINT and SIGTERM.
  static void remove_all_temporaries() noexcept { TemporaryFile::remove_all(); }

 private:
  void open_stream();
  void flush();
  void pass_on();
  [[noreturn]] void fail(std::string_view what, int error_number) const;

  std::string path_;
  std::string resolved_;  // path_ with final symbolic links followed, so that the link survives
  int stream_ = -1;       // where the bytes go that cannot be moved into place
  std::optional<TemporaryFile> temporary_;
  std::uint64_t size_ = 0;
  bool synced_ = false;
  std::string buffer_;
};

// Files that the program keeps for itself, to go on from: what is damaged or gone is made again.

/// The bytes of a file; nullopt if there is none, or one that is longer than any that is kept.
std::optional<std::string> read_kept_file(const std::string& path,
                                          std::uintmax_t most_bytes = std::uintmax_t{64} << 20);

/// Whole or not at all. IoError where it cannot be written.
void write_kept_file(const std::string& path, std::string_view bytes);

}  // namespace wordbridge
