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
// taken by moving its state from free to filling; only slots in the state live are read by the handler.
enum SlotState : int { kFree, kFilling, kLive };
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
  if (slot >= 0) slots[static_cast<std::size_t>(slot)].state.store(kFree);
}

std::string follow_link(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error) || error) return path;
  const auto target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target.string();
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), resolved_(follow_link(path_)) {
  struct stat status {};
  mode_t mode = 0;
  if (::stat(resolved_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail("cannot write", EISDIR);
    if (!S_ISREG(status.st_mode)) throw InputError(path_, 0, "cannot write: not a regular file");
    mode = status.st_mode & 07777;
  } else {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    mode = 0666 & ~mask;
  }
  temporary_ = resolved_ + ".tmp-XXXXXX";
  descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot create", errno);
  ::fchmod(descriptor_, mode);
  slot_ = register_temporary(temporary_);
  buffer_.reserve(kBufferBytes);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
  unregister_temporary(slot_);
}

void AtomicFile::fail(std::string_view what, int error_number) const {
  throw InputError(path_, 0, std::string(what) + ": " + system_reason(error_number));
}

void AtomicFile::write(const void* data, std::size_t bytes) {
  if (buffer_.size() + bytes > kBufferBytes) flush();
  buffer_.append(static_cast<const char*>(data), bytes);
  size_ += bytes;
  if (buffer_.size() >= kBufferBytes) flush();
}

void AtomicFile::flush() {
  const char* next = buffer_.data();
  std::size_t left = buffer_.size();
  while (left > 0) {
    const ssize_t written = ::write(descriptor_, next, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write", errno);
    next += written;
    left -= static_cast<std::size_t>(written);
  }
  buffer_.clear();
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
  flush();
  if (::fsync(descriptor_) != 0) fail("cannot sync", errno);
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
  for (Slot& slot : slots)
    if (slot.state.load() == kLive) ::unlink(slot.path.data());
}

}  // namespace wordbridge
