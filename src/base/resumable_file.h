#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace wordbridge {

/// A file that may take several runs of the program to be written: FILE.unfinished holds the bytes so far, and
/// FILE.unfinished.state how many of them are known to be good, with the key of the work that makes them. A run that is
/// killed leaves both behind, and the next one with that key goes on; commit() gives the file its name. Nothing of it
/// is ever seen under its own name before.
class ResumableFile {
 public:
  /// UsageError where other work, by its key, left an unfinished file; IoError where it cannot be written, or another
  /// process is writing it.
  ResumableFile(std::string path, const std::string& key);
  /// Keeps what can be kept, unless the file was committed.
  ~ResumableFile();
  ResumableFile(const ResumableFile&) = delete;
  ResumableFile& operator=(const ResumableFile&) = delete;

  /// At first the good bytes of earlier runs.
  std::uint64_t size() const { return size_; }
  /// Forgets them.
  void restart();
  void write(const void* data, std::size_t bytes);
  void overwrite(std::uint64_t offset, std::string_view bytes);
  /// To be called where a later run could begin: brings what is written to the disk, and says so in the state, once
  /// that is worth it; at the latest when this goes away.
  void keep_now_and_then();
  void keep();
  void commit();

 private:
  [[noreturn]] void fail(std::string_view what) const;
  std::string state() const;
  void write_at(std::uint64_t offset, const char* data, std::size_t bytes);

  std::string path_, resolved_, data_path_, state_path_, key_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0, kept_ = 0;
  std::uint64_t safe_ = 0;  // where a later run could begin
};

}  // namespace wordbridge
