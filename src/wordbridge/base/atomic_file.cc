#include "wordbridge/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "wordbridge/base/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

// Paths of live temporary files in static storage, because a signal handler may neither lock nor allocate. A slot is
// taken by moving its state from free to filling; the handler takes the live ones for good, so that nobody can fill a
// path anew while it is read.
enum SlotState : int { kFree, kFilling, kLive, kTakenByHandler };
struct Slot {
  std::atomic<int> state{kFree};
  std::array<char, 4096> path{};
};
std::array<Slot, 64> slots;

int register_temporary(const std::string& path) {
  if (path.size() >= slots[0].path.size()) return -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    int expected = kFree;
    if (!slots[i].state.compare_exchange_strong(expected, kFilling)) continue;
    std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
    slots[i].state.store(kLive);
    return static_cast<int>(i);
  }
  return -1;
}

void unregister_temporary(int slot) {
  int expected = kLive;
  if (slot >= 0) slots[static_cast<std::size_t>(slot)].state.compare_exchange_strong(expected, kFree);
}

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

/// A name in the same folder, so that rename() stays within one file system; short whatever the length of the name, so
/// that any name that is possible is possible here.
std::string temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
  return path.parent_path() /
         (".wordbridge-" + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1)) + ".tmp");
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), resolved_(follow_links(path_)) {
  buffer_.reserve(kBufferBytes);
  struct stat status {};
  const bool exists = ::stat(resolved_.c_str(), &status) == 0;
  if (!exists && (errno == ELOOP || path_.empty())) fail("cannot write", errno);
  if (exists && S_ISDIR(status.st_mode)) fail("cannot write", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) throw InputError(path_, 0, "cannot write: not a regular file");
  while (descriptor_ < 0) {
    temporary_ = temporary_name(resolved_);
    slot_ = register_temporary(temporary_);  // before it exists, so that a signal finds it in any case
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) break;
    const int error_number = errno;
    unregister_temporary(slot_);
    if (error_number != EEXIST && error_number != EINTR) fail("cannot create", error_number);
  }
  if (exists) {
    // Who replaces a file leaves its owner and mode as they were, as far as he may.
    if (::fchown(descriptor_, status.st_uid, status.st_gid) != 0) errno = 0;
    ::fchmod(descriptor_, status.st_mode & 07777);
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
  unregister_temporary(slot_);
}

void AtomicFile::fail(std::string_view what, int error_number) const { throw IoError(path_, what, error_number); }

void AtomicFile::write(const void* data, std::size_t bytes) {
  size_ += bytes;
  if (buffer_.size() + bytes > kBufferBytes) flush();
  if (bytes >= kBufferBytes)
    write_out(static_cast<const char*>(data), bytes);  // a whole table needs no second copy
  else
    buffer_.append(static_cast<const char*>(data), bytes);
}

void AtomicFile::flush() {
  write_out(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void AtomicFile::write_out(const char* next, std::size_t left) {
  while (left > 0) {
    const ssize_t written = ::write(descriptor_, next, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write", errno);
    next += written;
    left -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::overwrite(std::uint64_t offset, const void* data, std::size_t bytes) {
  flush();
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(descriptor_, next, bytes, static_cast<off_t>(offset));
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
    for (std::size_t done = 0; done < chunk.size();) {
      const ssize_t got =
          ::pread(descriptor_, chunk.data() + done, chunk.size() - done, static_cast<off_t>(end + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) fail("cannot read back", got < 0 ? errno : EIO);
      done += static_cast<std::size_t>(got);
    }
    overwrite(end + shift, chunk.data(), chunk.size());
  }
  overwrite(offset, text.data(), text.size());
  size_ += shift;
  if (::lseek(descriptor_, static_cast<off_t>(size_), SEEK_SET) < 0) fail("cannot seek", errno);
}

void AtomicFile::commit() {
  assert(descriptor_ >= 0);
  flush();
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail("cannot sync", errno);  // EINVAL: nothing to sync here
  if (::rename(temporary_.c_str(), resolved_.c_str()) != 0) fail("cannot rename", errno);
  ::close(descriptor_);
  descriptor_ = -1;
  unregister_temporary(slot_);
  // The rename itself is durable once the folder is synced; a file system that cannot do so is no reason to fail.
  const auto folder = std::filesystem::path(resolved_).parent_path();
  const int folder_descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_descriptor >= 0) {
    ::fsync(folder_descriptor);
    ::close(folder_descriptor);
  }
}

void AtomicFile::remove_all_temporaries() noexcept {
  for (Slot& slot : slots) {
    int expected = kLive;
    if (slot.state.compare_exchange_strong(expected, kTakenByHandler)) ::unlink(slot.path.data());
  }
}

}  // namespace wordbridge
