#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/escaped_text.h"
#include "wordbridge/error.h"

namespace wordbridge {

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

}  // namespace wordbridge
