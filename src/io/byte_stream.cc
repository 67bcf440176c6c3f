#include "io/byte_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/atomic_file.h"
#include "io/compressed_stream.h"
#include "wordbridge/error.h"

namespace wordbridge {

/// A file, a pipe or standard input (`-`), read as it is.
class InputFile {
 public:
  /// IoError for a missing file, a folder, no permission.
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Up to `bytes` bytes, as many as are there; 0 at the end and after cancel().
  std::size_t read(char* buffer, std::size_t bytes);
  /// May be called from another thread: a read that waits for a pipe's writer gives up.
  void cancel();

  std::uint64_t position() const { return position_.load(std::memory_order_relaxed); }
  /// Unknown for a pipe.
  std::optional<std::uint64_t> size() const { return size_; }
  /// As given, for messages; "standard input" for `-`.
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(int error_number) const;
  bool wait();

  std::string path_;
  int descriptor_ = -1;
  int cancel_ = -1;  // an event that ends the waiting
  bool owned_ = false;
  std::optional<std::uint64_t> size_;
  std::atomic<std::uint64_t> position_{0};
};

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

/// Pulls bytes on a thread of its own, a few blocks ahead of whoever reads them: decompression and parsing overlap.
class ReadAhead {
 public:
  /// Up to so many bytes; 0 at the end; may throw.
  using Pull = std::function<std::size_t(char* buffer, std::size_t bytes)>;

  explicit ReadAhead(Pull pull);
  /// Waits for the pull under way.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Up to `bytes` bytes, 0 at the end. What the pull threw is thrown here, in its place among the bytes.
  std::size_t read(char* buffer, std::size_t bytes);
  /// No further pull begins.
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

namespace {
constexpr std::size_t kBlocks = 4;
constexpr std::size_t kBytesOfBlock = std::size_t{512} << 10;
}  // namespace

/// A ring: blocks [taken, filled) hold bytes; the puller fills block `filled`, the reader empties block `taken`.
struct ReadAhead::State {
  explicit State(Pull pull) : pull_bytes(std::move(pull)) {
    for (Block& block : ring) block.bytes = std::make_unique_for_overwrite<char[]>(kBytesOfBlock);
    thread = std::thread([this] { run(); });
  }

  struct Block {
    std::unique_ptr<char[]> bytes;
    std::size_t size = 0;
  };

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stopped || filled - taken < kBlocks; });
      if (stopped) return;
      Block& block = ring[filled % kBlocks];
      lock.unlock();
      std::exception_ptr thrown;
      try {
        block.size = pull_bytes(block.bytes.get(), kBytesOfBlock);
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      if (thrown || block.size == 0) {
        failure = thrown;
        ended = true;
        changed.notify_all();
        return;
      }
      ++filled;
      changed.notify_all();
    }
  }

  Pull pull_bytes;
  std::array<Block, kBlocks> ring;
  std::size_t offset = 0;  // of the reader in block `taken`
  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t filled = 0, taken = 0;
  bool ended = false;
  bool stopped = false;
  std::exception_ptr failure;
  std::thread thread;
};

ReadAhead::ReadAhead(Pull pull) : state_(std::make_unique<State>(std::move(pull))) {}

ReadAhead::~ReadAhead() {
  stop();
  state_->thread.join();
}

void ReadAhead::stop() {
  const std::lock_guard lock(state_->mutex);
  state_->stopped = true;
  state_->changed.notify_all();
}

std::size_t ReadAhead::read(char* buffer, std::size_t bytes) {
  State& state = *state_;
  std::unique_lock lock(state.mutex);
  state.changed.wait(lock, [&] { return state.filled > state.taken || state.ended; });
  if (state.filled == state.taken) {
    if (state.failure) std::rethrow_exception(state.failure);
    return 0;
  }
  const State::Block& block = state.ring[state.taken % kBlocks];
  lock.unlock();
  const std::size_t count = std::min(bytes, block.size - state.offset);
  std::memcpy(buffer, block.bytes.get() + state.offset, count);
  state.offset += count;
  if (state.offset == block.size) {
    state.offset = 0;
    lock.lock();
    ++state.taken;
    state.changed.notify_all();
  }
  return count;
}

namespace {

constexpr std::size_t kPeekBytes = std::size_t{64} << 10;
constexpr std::size_t kMagicBytes = 16;

class FileByteStream : public ByteStream {
 public:
  explicit FileByteStream(const std::string& path) : file_(path) {
    compression_ = recognize_compression(peek(kMagicBytes));
    if (compression_ == Compression::none) return;
    compressed_ = std::exchange(peeked_, {});
    decompressor_ = make_decompressor(
        compression_, [this](char* buffer, std::size_t bytes) { return pull_compressed(buffer, bytes); }, file_.path());
    ahead_ = std::make_unique<ReadAhead>(
        [this](char* buffer, std::size_t bytes) { return decompressor_->read(buffer, bytes); });
  }
  ~FileByteStream() override {
    if (ahead_ == nullptr) return;
    ahead_->stop();
    file_.cancel();  // or the thread might wait for the writer of a pipe
    ahead_.reset();
  }
  FileByteStream(const FileByteStream&) = delete;
  FileByteStream& operator=(const FileByteStream&) = delete;

  std::size_t read(char* buffer, std::size_t bytes) override {
    if (bytes == 0) return 0;
    const std::size_t seen = std::min(bytes, peeked_.size() - taken_);
    std::memcpy(buffer, peeked_.data() + taken_, seen);
    taken_ += seen;
    return fill(buffer, seen, bytes, bytes);
  }

  std::string_view peek(std::size_t bytes) override {
    assert(bytes <= kPeekBytes);
    if (peeked_.size() - taken_ < bytes) {
      peeked_.erase(0, std::exchange(taken_, 0));
      const std::size_t seen = peeked_.size();
      peeked_.resize(kPeekBytes);
      std::size_t size = seen;
      try {
        size = fill(peeked_.data(), seen, bytes, kPeekBytes);
      } catch (...) {
        peeked_.resize(seen);
        throw;
      }
      peeked_.resize(size);
    }
    return std::string_view(peeked_).substr(taken_, bytes);
  }

  std::uint64_t file_position() const override { return file_.position(); }
  std::optional<std::uint64_t> file_size() const override { return file_.size(); }
  std::string compression() const override { return std::string(name_of(compression_)); }
  const std::string& path() const override { return file_.path(); }

 private:
  /// Pulls bytes behind the first `size` ones of the buffer until there are `least`, at most `most`. An error behind
  /// good bytes waits until those are taken.
  std::size_t fill(char* buffer, std::size_t size, std::size_t least, std::size_t most) {
    while (size < least) {
      try {
        if (failure_) std::rethrow_exception(failure_);
        const std::size_t count =
            ahead_ != nullptr ? ahead_->read(buffer + size, most - size) : file_.read(buffer + size, most - size);
        if (count == 0) break;
        size += count;
      } catch (...) {
        failure_ = std::current_exception();
        if (size == 0) throw;
        break;
      }
    }
    return size;
  }

  std::size_t pull_compressed(char* buffer, std::size_t bytes) {
    if (compressed_.empty()) return file_.read(buffer, bytes);
    const std::size_t count = compressed_.copy(buffer, bytes);
    compressed_.erase(0, count);
    return count;
  }

  InputFile file_;
  Compression compression_ = Compression::none;
  std::string compressed_;  // bytes of the file that told its compression
  std::unique_ptr<Decompressor> decompressor_;
  std::unique_ptr<ReadAhead> ahead_;
  std::string peeked_;     // bytes that were looked at,
  std::size_t taken_ = 0;  // and how many of them were read since
  std::exception_ptr failure_;
};

class FileByteSink : public ByteSink {
 public:
  explicit FileByteSink(const std::string& path) : file_(path) {
    const Compression compression = compression_of_path(path);
    if (compression != Compression::none)
      compressor_ = make_compressor(compression, [this](std::string_view bytes) { file_.write(bytes); });
  }
  void write(std::string_view bytes) override {
    if (compressor_ != nullptr)
      compressor_->write(bytes);
    else
      file_.write(bytes);
  }
  void finish() override {
    if (compressor_ != nullptr) compressor_->finish();
    file_.commit();
  }

 private:
  AtomicFile file_;
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace

std::unique_ptr<ByteStream> open_bytes(const std::string& path) { return std::make_unique<FileByteStream>(path); }

std::string read_whole(const std::string& path, std::size_t most, std::string_view kind) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  const auto stream = open_bytes(path);
  std::string content;
  for (;;) {
    const std::size_t size = content.size();
    content.resize(size + kPiece);
    const std::size_t got = stream->read(content.data() + size, kPiece);
    content.resize(size + got);
    if (got == 0) return content;
    if (content.size() > most)
      throw InputError(stream->path(), 0, fmt::format("has more than {} bytes: not {}", most, kind));
  }
}

std::unique_ptr<ByteSink> create_bytes(const std::string& path) { return std::make_unique<FileByteSink>(path); }

}  // namespace wordbridge
