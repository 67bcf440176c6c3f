// A library for LD_PRELOAD that makes one system call fail: the call number WORDBRIDGE_FAULT_CALL, from 1, among the
// intercepted ones. WORDBRIDGE_FAULT_KIND says how: `ENOSPC`, `EIO`, `short` (writes take half of the bytes, other
// calls are not counted), or `SIGKILL`, `SIGINT`, `SIGTERM`, which come before the call. When it happens, the file
// WORDBRIDGE_FAULT_MARK is created with the name of the call in it. With WORDBRIDGE_FAULT_NAMES the file system has no
// files without names. With WORDBRIDGE_FAULT_FULL the disk is full for all files whose path holds that text.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace {

std::atomic<long> calls{0};

long wanted_call() {
  static const char* text = std::getenv("WORDBRIDGE_FAULT_CALL");
  static const long number = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  return number;
}

const char* kind() {
  static const char* text = std::getenv("WORDBRIDGE_FAULT_KIND");
  return text == nullptr ? "EIO" : text;
}

bool is_short() { return std::strcmp(kind(), "short") == 0; }

/// Straight to the kernel, so that it does not count itself.
void leave_mark(const char* name) {
  const char* path = std::getenv("WORDBRIDGE_FAULT_MARK");
  if (path == nullptr) return;
  const long descriptor = ::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::syscall(SYS_write, descriptor, name, std::strlen(name));
  ::syscall(SYS_close, descriptor);
}

bool is_the_one(const char* name) {
  if (wanted_call() == 0 || calls.fetch_add(1) + 1 != wanted_call()) return false;
  leave_mark(name);
  return true;
}

/// True where this call is to fail, with errno set.
bool fails(const char* name) {
  if (is_short() || !is_the_one(name)) return false;
  for (const auto& [text, number] : {std::pair{"SIGKILL", SIGKILL}, {"SIGINT", SIGINT}, {"SIGTERM", SIGTERM}}) {
    if (std::strcmp(kind(), text) != 0) continue;
    ::kill(::getpid(), number);
    return false;
  }
  errno = std::strcmp(kind(), "ENOSPC") == 0 ? ENOSPC : EIO;
  return true;
}

/// True, with errno set, for a file on the full disk.
bool is_full(int descriptor) {
  static const char* text = std::getenv("WORDBRIDGE_FAULT_FULL");
  if (text == nullptr) return false;
  char link[64], path[4096] = {};
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  if (::readlink(link, path, sizeof(path) - 1) <= 0 || std::strstr(path, text) == nullptr) return false;
  errno = ENOSPC;
  return true;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* data, size_t bytes) {
  if (descriptor > 2) {
    if (is_full(descriptor) || fails("write")) return -1;
    if (is_short() && bytes > 1 && is_the_one("write")) bytes /= 2;
  }
  return ::syscall(SYS_write, descriptor, data, bytes);
}

ssize_t pwrite(int descriptor, const void* data, size_t bytes, off_t offset) {
  if (fails("pwrite")) return -1;
  if (is_short() && bytes > 1 && is_the_one("pwrite")) bytes /= 2;
  return ::syscall(SYS_pwrite64, descriptor, data, bytes, offset);
}
ssize_t pwrite64(int descriptor, const void* data, size_t bytes, off_t offset) {
  return pwrite(descriptor, data, bytes, offset);
}

int fsync(int descriptor) { return fails("fsync") ? -1 : static_cast<int>(::syscall(SYS_fsync, descriptor)); }

int rename(const char* from, const char* to) {
  return fails("rename") ? -1 : static_cast<int>(::syscall(SYS_rename, from, to));
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return fails("linkat") ? -1 : static_cast<int>(::syscall(SYS_linkat, from_folder, from, to_folder, to, flags));
}

int ftruncate(int descriptor, off_t bytes) {
  return fails("ftruncate") ? -1 : static_cast<int>(::syscall(SYS_ftruncate, descriptor, bytes));
}

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list arguments;
    va_start(arguments, flags);
    mode = static_cast<mode_t>(va_arg(arguments, int));
    va_end(arguments);
  }
  if ((flags & O_TMPFILE) == O_TMPFILE && std::getenv("WORDBRIDGE_FAULT_NAMES") != nullptr) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return fails("open") ? -1 : static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int open64(const char* path, int flags, ...) {
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list arguments;
    va_start(arguments, flags);
    mode = static_cast<mode_t>(va_arg(arguments, int));
    va_end(arguments);
  }
  return open(path, flags, mode);
}

/// Of files only: memory that cannot be had is another matter.
void* mmap(void* address, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  if (descriptor >= 0 && fails("mmap")) return MAP_FAILED;
  static const auto real = next<void* (*)(void*, size_t, int, int, int, off_t)>("mmap");
  return real(address, bytes, protection, flags, descriptor, offset);
}
void* mmap64(void* address, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  return mmap(address, bytes, protection, flags, descriptor, offset);
}

}  // extern "C"
