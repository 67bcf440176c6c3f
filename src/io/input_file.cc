#include "io/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "wordbridge/error.h"

namespace wordbridge {

InputFile::InputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    path_ = "standard input";
    descriptor_ = STDIN_FILENO;
  } else {
    owned_ = true;
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw IoError(path_, "cannot open", errno);
  }
  struct stat status {};
  int error_number = ::fstat(descriptor_, &status) == 0 ? 0 : errno;
  if (error_number == 0 && S_ISDIR(status.st_mode)) error_number = EISDIR;
  if (error_number != 0) {
    if (owned_) ::close(descriptor_);
    fail(error_number);
  }
  if (S_ISREG(status.st_mode)) {
    // Standard input may already have been read in part by somebody else.
    const off_t offset = std::max<off_t>(0, ::lseek(descriptor_, 0, SEEK_CUR));
    size_ = static_cast<std::uint64_t>(std::max<off_t>(0, status.st_size - offset));
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  } else {
    cancel_ = ::eventfd(0, EFD_CLOEXEC);
  }
}

InputFile::~InputFile() {
  if (owned_) ::close(descriptor_);
  if (cancel_ >= 0) ::close(cancel_);
}

void InputFile::fail(int error_number) const { throw IoError(path_, "cannot read", error_number); }

void InputFile::cancel() {
  if (cancel_ >= 0) ::eventfd_write(cancel_, 1);
}

/// True once there is something to read, false once cancelled.
bool InputFile::wait() {
  pollfd events[2] = {{descriptor_, POLLIN, 0}, {cancel_, POLLIN, 0}};
  while (::poll(events, 2, -1) < 0)
    if (errno != EINTR) fail(errno);
  return events[1].revents == 0;
}

std::size_t InputFile::read(char* buffer, std::size_t bytes) {
  for (;;) {
    if (cancel_ >= 0 && !wait()) return 0;
    const ssize_t count = ::read(descriptor_, buffer, bytes);
    if (count >= 0) {
      position_.fetch_add(static_cast<std::uint64_t>(count), std::memory_order_relaxed);
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR && errno != EAGAIN) fail(errno);
  }
}

}  // namespace wordbridge
