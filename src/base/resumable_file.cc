#include "base/resumable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/checksum.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStateMagic = "wordbridge unfinished 1\n";
/// Syncing this much takes the disk a second or less; more is not lost by a kill.
constexpr std::uint64_t kBytesToKeep = std::uint64_t{256} << 20;

struct KeptState {
  std::string key;
  std::uint64_t bytes = 0;
};

std::optional<KeptState> parse_state(std::string_view text) {
  if (!text.starts_with(kStateMagic)) return std::nullopt;
  text.remove_prefix(kStateMagic.size());
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos || !text.ends_with('\n')) return std::nullopt;
  KeptState state{.key = std::string(text.substr(0, space))};
  text = text.substr(space + 1, text.size() - space - 2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), state.bytes);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return state;
}

/// Keys may be long and hold anything.
std::string digest_of(std::string_view key) {
  Sha256 hash;
  hash.update(key);
  return to_hex(hash.finish());
}

}  // namespace

ResumableFile::ResumableFile(std::string path, const std::string& key) : path_(std::move(path)), key_(digest_of(key)) {
  std::error_code error;
  if (path_ == "-" || (fs::exists(path_, error) && !fs::is_regular_file(path_, error)))
    throw UsageError(path_ + ": what is to be resumed is a plain file");
  resolved_ = fs::is_symlink(path_, error) ? fs::canonical(path_, error).string() : path_;
  if (resolved_.empty()) resolved_ = path_;
  data_path_ = path_ + ".unfinished";
  state_path_ = data_path_ + ".state";
  do descriptor_ = ::open(data_path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) fail("cannot write");
  try {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      throw UsageError(data_path_ + ": another process is writing it");
    const auto text = read_kept_file(state_path_);
    const auto kept = text ? parse_state(*text) : std::nullopt;
    if (kept && kept->key != key_)
      throw UsageError(
          fmt::format("{} belongs to other work (another input, mapping, option or part): delete it and {} "
                      "to begin anew",
                      data_path_, state_path_));
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail("cannot read");
    if (kept && kept->bytes <= static_cast<std::uint64_t>(status.st_size)) size_ = kept_ = kept->bytes;
    if (::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) fail("cannot write");
    if (!kept) write_kept_file(state_path_, state());
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

ResumableFile::~ResumableFile() {
  if (descriptor_ < 0) return;
  try {
    if (safe_ > kept_) {
      size_ = safe_;
      keep();
    }
  } catch (const Error&) {  // then less is kept
  }
  ::close(descriptor_);
}

void ResumableFile::fail(std::string_view what) const { throw IoError(data_path_, what, errno); }

std::string ResumableFile::state() const { return fmt::format("{}{} {}\n", kStateMagic, key_, kept_); }

void ResumableFile::restart() {
  size_ = kept_ = safe_ = 0;
  write_kept_file(state_path_, state());
  if (::ftruncate(descriptor_, 0) != 0) fail("cannot write");
}

void ResumableFile::write_at(std::uint64_t offset, const char* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = ::pwrite(descriptor_, data, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write");
    data += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

void ResumableFile::write(const void* data, std::size_t bytes) {
  write_at(size_, static_cast<const char*>(data), bytes);
  // The disk begins at once, while the next block is computed: then there is little to wait for in keep().
  ::sync_file_range(descriptor_, static_cast<off_t>(size_), static_cast<off_t>(bytes), SYNC_FILE_RANGE_WRITE);
  size_ += bytes;
}

void ResumableFile::overwrite(std::uint64_t offset, std::string_view bytes) {
  write_at(offset, bytes.data(), bytes.size());
}

void ResumableFile::keep_now_and_then() {
  safe_ = size_;
  if (size_ - kept_ >= kBytesToKeep) keep();
}

void ResumableFile::keep() {
  if (::fdatasync(descriptor_) != 0) fail("cannot sync");
  kept_ = safe_ = size_;
  write_kept_file(state_path_, state());
}

void ResumableFile::commit() {
  struct stat old {};
  if (::stat(resolved_.c_str(), &old) == 0) {  // as AtomicFile: who replaces a file leaves its owner and mode
    if (::fchown(descriptor_, old.st_uid, old.st_gid) != 0) errno = 0;
    ::fchmod(descriptor_, old.st_mode & 07777);
  }
  if (::fsync(descriptor_) != 0) fail("cannot sync");
  if (::rename(data_path_.c_str(), resolved_.c_str()) != 0) fail("cannot rename");
  ::unlink(state_path_.c_str());
  ::close(std::exchange(descriptor_, -1));
  const auto folder = fs::path(resolved_).parent_path();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace wordbridge
