#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <utility>

#include "base/escaped_text.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

// The live files in static storage, because a signal handler may neither lock nor allocate. A slot is taken by moving
// its state from free to filling; the handler takes the live ones for good, so that nobody can fill a path anew while
// it is read. The path is empty while the file has no name.
enum SlotState : int { kFree, kFilling, kLive, kTakenByHandler };
struct Slot {
  std::atomic<int> state{kFree};
  std::array<char, 4096> path{};
};
std::array<Slot, 64> slots;

std::atomic<bool> names_only{false};

void set_path(Slot& slot, const std::string& path) {
  const std::size_t length = path.size() < slot.path.size() ? path.size() : 0;  // a longer one is not remembered
  std::memcpy(slot.path.data(), path.data(), length);
  slot.path[length] = '\0';
}

int register_file(const std::string& path) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int expected = kFree;
    if (!slots[i].state.compare_exchange_strong(expected, kFilling)) continue;
    set_path(slots[i], path);
    slots[i].state.store(kLive);
    return static_cast<int>(i);
  }
  return -1;
}

/// False where the handler has taken the file.
bool change_path(int slot, const std::string& path) {
  if (slot < 0) return true;
  Slot& entry = slots[static_cast<std::size_t>(slot)];
  int expected = kLive;
  if (!entry.state.compare_exchange_strong(expected, kFilling)) return false;
  set_path(entry, path);
  entry.state.store(kLive);
  return true;
}

void unregister_file(int slot) {
  int expected = kLive;
  if (slot >= 0) slots[static_cast<std::size_t>(slot)].state.compare_exchange_strong(expected, kFree);
}

/// The boot of this machine, in 32 hexadecimal digits; empty where the system does not tell.
std::string read_boot() {
  const int descriptor = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  std::array<char, 64> text{};
  const ssize_t got = ::read(descriptor, text.data(), text.size());
  ::close(descriptor);
  std::string boot(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  std::erase_if(boot, [](char c) { return !(('0' <= c && c <= '9') || ('a' <= c && c <= 'f')); });
  return boot.size() == 32 ? boot : std::string();
}

/// How the hidden names of this boot begin.
const std::string& name_prefix() {
  static const std::string boot = read_boot();
  static const std::string prefix = ".wordbridge-" + (boot.empty() ? "boot" : boot) + "-";
  return prefix;
}

/// Short whatever the length of the final name, so that any name that is possible is possible here.
std::string hidden_name() {
  static std::atomic<unsigned> counter{0};
  return name_prefix() + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1)) + ".tmp";
}

/// Deletes a hidden file unless a living process holds its lock. Where locks do not work, none is got, nor anything
/// deleted.
void delete_if_abandoned(const std::filesystem::path& path) {
  constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int descriptor = ::open(path.c_str(), O_RDWR | kFlags);  // network file systems lock only what can be written
  if (descriptor < 0) descriptor = ::open(path.c_str(), O_RDONLY | kFlags);
  if (descriptor < 0) return;
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    ::unlink(path.c_str());
  ::close(descriptor);
}

/// Once for each folder that the process writes to.
void sweep(const std::filesystem::path& folder) {
  static std::mutex mutex;
  static std::set<std::filesystem::path> swept;
  if (name_prefix() == ".wordbridge-boot-") return;
  std::error_code error;
  const auto place = std::filesystem::absolute(folder, error);
  const std::lock_guard lock(mutex);
  if (error || !swept.insert(place).second) return;
  for (auto entry = std::filesystem::directory_iterator(place, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.starts_with(name_prefix()) && name.ends_with(".tmp")) delete_if_abandoned(entry->path());
  }
}

}  // namespace

TemporaryFile::TemporaryFile(std::filesystem::path folder, std::string shown)
    : folder_(folder.empty() ? "." : std::move(folder)), shown_(std::move(shown)) {
  sweep(folder_);
  if (names_only || !create_nameless()) create_named();
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ < 0) return;
  if (!name_.empty()) ::unlink(name_.c_str());
  ::close(descriptor_);  // after its name, while the lock still holds off others
  unregister_file(slot_);
}

void TemporaryFile::fail(const char* what, int error_number) { throw IoError(shown_, what, error_number); }

bool TemporaryFile::create_nameless() {
  do descriptor_ = ::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) return false;
  // It gets its name by this path; without /proc there is none.
  if (::access(("/proc/self/fd/" + std::to_string(descriptor_)).c_str(), F_OK) != 0) {
    ::close(std::exchange(descriptor_, -1));
    return false;
  }
  ::flock(descriptor_, LOCK_EX | LOCK_NB);  // for the moment in which it has a hidden name
  slot_ = register_file("");
  return true;
}

void TemporaryFile::create_named() {
  for (;;) {
    name_ = folder_ / hidden_name();
    slot_ = register_file(name_);  // before it exists, so that a signal finds it in any case
    descriptor_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    const int error_number = descriptor_ < 0 ? errno : EEXIST;
    if (descriptor_ >= 0) {
      // Somebody who sweeps may have been faster with the lock, or with the name too: then another name.
      struct stat status {};
      const bool locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
      if (locked && ::fstat(descriptor_, &status) == 0 && status.st_nlink > 0) return;
      ::unlink(name_.c_str());
      ::close(std::exchange(descriptor_, -1));
    }
    unregister_file(std::exchange(slot_, -1));
    if (error_number != EEXIST && error_number != EINTR) fail("cannot create", error_number);
  }
}

void TemporaryFile::move_to(const std::string& path) {
  if (name_.empty()) {
    if (!change_path(slot_, "")) fail("cannot rename", ECANCELED);
    const std::string own_path = "/proc/self/fd/" + std::to_string(descriptor_);
    if (::linkat(AT_FDCWD, own_path.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      if (errno != EEXIST) fail("cannot rename", errno);
      replace(path, own_path);
    }
  } else if (::rename(name_.c_str(), path.c_str()) != 0) {
    fail("cannot rename", errno);
  }
  name_.clear();
  ::close(std::exchange(descriptor_, -1));
  unregister_file(slot_);
}

/// A file without a name cannot take the place of another: it gets a hidden one first.
void TemporaryFile::replace(const std::string& path, const std::string& own_path) {
  for (;;) {
    const std::string hidden = folder_ / hidden_name();
    if (!change_path(slot_, hidden)) fail("cannot rename", ECANCELED);
    if (::linkat(AT_FDCWD, own_path.c_str(), AT_FDCWD, hidden.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      name_ = hidden;
      break;
    }
    if (errno != EEXIST) fail("cannot rename", errno);
  }
  if (::rename(name_.c_str(), path.c_str()) != 0) fail("cannot rename", errno);
}

void TemporaryFile::remove_all() noexcept {
  for (Slot& slot : slots) {
    int expected = kLive;
    if (slot.state.compare_exchange_strong(expected, kTakenByHandler) && slot.path[0] != '\0')
      ::unlink(slot.path.data());
  }
}

void TemporaryFile::always_use_names(bool always) { names_only = always; }

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

/// The path with its final symbolic links followed, also those that lead to nothing yet.
std::filesystem::path follow_links(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as in the kernel; a loop ends here and shows when the file is opened
  std::error_code error;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, error); ++i) {
    const auto target = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target replaces the folder
  }
  return path;
}

/// 0, or the number of the error.
int write_all(int descriptor, const char* next, std::size_t left) {
  while (left > 0) {
    const ssize_t written = ::write(descriptor, next, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    next += written;
    left -= static_cast<std::size_t>(written);
  }
  return 0;
}

/// Fills the text from that offset on, as far as the file goes; 0, or the number of the error.
int read_back(int descriptor, std::uint64_t offset, std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t got = ::pread(descriptor, text.data() + done, text.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got < 0 ? errno : EIO;
    done += static_cast<std::size_t>(got);
  }
  return 0;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  buffer_.reserve(kBufferBytes);
  struct stat status {};
  const bool exists = path_ != "-" && ::stat(path_.c_str(), &status) == 0;
  if (path_ == "-" || (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))) {
    open_stream();
    return;
  }
  if (!exists && (errno == ELOOP || path_.empty())) fail("cannot write", errno);
  if (exists && S_ISDIR(status.st_mode)) fail("cannot write", EISDIR);
  resolved_ = follow_links(path_);
  temporary_.emplace(std::filesystem::path(resolved_).parent_path(), path_);
  if (exists) {
    // Who replaces a file leaves its owner and mode as they were, as far as he may.
    if (::fchown(temporary_->descriptor(), status.st_uid, status.st_gid) != 0) errno = 0;
    ::fchmod(temporary_->descriptor(), status.st_mode & 07777);
  }
}

void AtomicFile::open_stream() {
  if (path_ == "-") {
    path_ = "standard output";
    stream_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (stream_ >= 0 && (::fcntl(stream_, F_GETFL) & O_ACCMODE) == O_RDONLY) {  // it is closed: see standard_streams
      ::close(std::exchange(stream_, -1));
      errno = EBADF;
    }
  } else {
    do stream_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    while (stream_ < 0 && errno == EINTR);
  }
  if (stream_ < 0) fail("cannot write", errno);
  try {
    std::error_code error;
    const auto folder = std::filesystem::temp_directory_path(error);
    temporary_.emplace(error ? "/tmp" : folder, path_);
  } catch (...) {
    ::close(stream_);
    throw;
  }
}

AtomicFile::~AtomicFile() {
  if (stream_ >= 0) ::close(stream_);
}

void AtomicFile::fail(std::string_view what, int error_number) const { throw IoError(path_, what, error_number); }

void AtomicFile::write(const void* data, std::size_t bytes) {
  size_ += bytes;
  synced_ = false;
  if (buffer_.size() + bytes > kBufferBytes) flush();
  if (bytes < kBufferBytes)
    buffer_.append(static_cast<const char*>(data), bytes);
  else if (const int error = write_all(temporary_->descriptor(), static_cast<const char*>(data), bytes))
    fail("cannot write", error);  // a whole table needs no second copy
}

void AtomicFile::flush() {
  if (const int error = write_all(temporary_->descriptor(), buffer_.data(), buffer_.size()))
    fail("cannot write", error);
  buffer_.clear();
}

void AtomicFile::overwrite(std::uint64_t offset, const void* data, std::size_t bytes) {
  flush();
  synced_ = false;
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(temporary_->descriptor(), next, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write", errno);
    next += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::splice(std::uint64_t offset, std::size_t bytes, std::string_view text) {
  assert(text.size() >= bytes && offset + bytes <= size_);
  flush();
  const std::uint64_t shift = text.size() - bytes;
  std::string chunk;
  for (std::uint64_t end = size_; shift > 0 && end > offset + bytes;) {  // from the end, so that nothing is overrun
    chunk.resize(std::min<std::uint64_t>(kBufferBytes, end - offset - bytes));
    end -= chunk.size();
    if (const int error = read_back(temporary_->descriptor(), end, chunk)) fail("cannot read back", error);
    overwrite(end + shift, chunk.data(), chunk.size());
  }
  overwrite(offset, text.data(), text.size());
  size_ += shift;
  if (::lseek(temporary_->descriptor(), static_cast<off_t>(size_), SEEK_SET) < 0) fail("cannot seek", errno);
}

void AtomicFile::sync() {
  flush();
  if (synced_ || is_stream()) return;
  if (::fsync(temporary_->descriptor()) != 0 && errno != EINVAL) fail("cannot sync", errno);  // EINVAL: nothing to sync
  synced_ = true;
}

void AtomicFile::commit() {
  assert(temporary_);
  sync();
  if (is_stream()) {
    pass_on();
    temporary_.reset();
    return;
  }
  temporary_->move_to(resolved_);
  temporary_.reset();
  // The name itself is durable once the folder is synced; a file system that cannot do so is no reason to fail.
  const auto folder = std::filesystem::path(resolved_).parent_path();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    ::fsync(descriptor);
    ::close(descriptor);
  }
}

/// What a person would see must not steer the terminal; all others get the bytes as they are.
void AtomicFile::pass_on() {
  const bool seen = ::isatty(stream_) == 1;
  std::string chunk;
  for (std::uint64_t done = 0; done < size_; done += chunk.size()) {
    chunk.resize(std::min<std::uint64_t>(kBufferBytes, size_ - done));
    if (const int error = read_back(temporary_->descriptor(), done, chunk)) fail("cannot read back", error);
    // A control character of two bytes is not to be cut in the middle.
    if (seen && chunk.size() > 1 && done + chunk.size() < size_ && chunk.back() == '\xC2') chunk.pop_back();
    const std::string shown = seen ? escape_controls(chunk, Layout::kept) : std::string();
    if (const int error = write_all(stream_, seen ? shown.data() : chunk.data(), seen ? shown.size() : chunk.size()))
      fail("cannot write", error);
  }
}

std::optional<std::string> read_kept_file(const std::string& path, std::uintmax_t most_bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > most_bytes) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string bytes(size, '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return bytes;
}

void write_kept_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace wordbridge
