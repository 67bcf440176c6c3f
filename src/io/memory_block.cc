#include "io/memory_block.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <string>

#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 46;  // 64 TiB: beyond any file this is meant for
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 24;

MemoryBlock owned_mapping(void* address, std::size_t mapped_bytes, std::size_t skip, std::size_t bytes) {
  std::shared_ptr<void> owner(address, [mapped_bytes](void* start) { ::munmap(start, mapped_bytes); });
  return {static_cast<char*>(address) + skip, bytes, std::move(owner)};
}

/// True where the file has the stream's next bytes at `position`: the path still names what the stream reads.
bool same_bytes(int descriptor, std::uint64_t position, std::string_view expected) {
  std::string found(expected.size(), '\0');
  std::size_t done = 0;
  while (done < found.size()) {
    const ssize_t bytes =
        ::pread(descriptor, found.data() + done, found.size() - done, static_cast<off_t>(position + done));
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return false;
    done += static_cast<std::size_t>(bytes);
  }
  return found == expected;
}

}  // namespace

MemoryBlock read_block(ByteStream& stream, std::uint64_t bytes) {
  if (bytes == 0) return {};
  // Pages of an anonymous mapping cost memory when they are first written, not before.
  void* address = MAP_FAILED;
  if (bytes <= kMaxBytes)
    address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    throw InputError(stream.path(), 0, fmt::format("{} bytes are promised, more than memory can hold", bytes));
  MemoryBlock block = owned_mapping(address, bytes, 0, bytes);
  std::size_t done = 0;
  while (done < block.bytes) {
    const std::size_t wanted = std::min(kBytesAtOnce, block.bytes - done);
    const std::size_t got = stream.read(block.data + done, wanted);
    done += got;
    if (got < wanted) stream.peek(1);  // a compressed stream that ends early says so only now
    if (got < wanted)
      throw InputError(stream.path(), 0,
                       fmt::format("ends early: {} of {} bytes of the table are there", done, block.bytes));
  }
  return block;
}

std::optional<PlainFile> PlainFile::behind(ByteStream& stream, std::uint64_t position) {
  const auto size = stream.file_size();
  if (!size || !stream.compression().empty()) return std::nullopt;
  const int opened = ::open(stream.path().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) return std::nullopt;
  std::shared_ptr<void> descriptor(new int(opened), [](void* number) {
    ::close(*static_cast<int*>(number));
    delete static_cast<int*>(number);
  });
  struct stat status {};
  if (::fstat(opened, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (static_cast<std::uint64_t>(status.st_size) != *size) return std::nullopt;
  if (!same_bytes(opened, position, stream.peek(4096))) return std::nullopt;
  return PlainFile(std::move(descriptor), *size, stream.path());
}

std::optional<MemoryBlock> PlainFile::map(std::uint64_t offset, std::uint64_t bytes) const {
  assert(offset <= size_ && bytes <= size_ - offset);
  if (bytes == 0) return MemoryBlock{};
  const std::uint64_t page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t skip = offset % page;
  void* address = ::mmap(nullptr, bytes + skip, PROT_READ, MAP_PRIVATE, *static_cast<int*>(descriptor_.get()),
                         static_cast<off_t>(offset - skip));
  if (address == MAP_FAILED) return std::nullopt;
  return owned_mapping(address, bytes + skip, skip, bytes);
}

void PlainFile::read(std::uint64_t offset, char* buffer, std::size_t bytes) const {
  const int descriptor = *static_cast<int*>(descriptor_.get());
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t got = ::pread(descriptor, buffer + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(path_, "cannot read", errno);
    if (got == 0) throw InputError(path_, 0, "became shorter while it was read");
    done += static_cast<std::size_t>(got);
  }
}

void PlainFile::will_need(std::uint64_t offset, std::uint64_t bytes) const {
  ::posix_fadvise(*static_cast<int*>(descriptor_.get()), static_cast<off_t>(offset), static_cast<off_t>(bytes),
                  POSIX_FADV_WILLNEED);
}

}  // namespace wordbridge
