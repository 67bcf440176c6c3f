#include "io/byte_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <exception>
#include <utility>

#include "base/atomic_file.h"
#include "io/compressed_stream.h"
#include "io/input_file.h"
#include "io/read_ahead.h"
#include "wordbridge/error.h"

namespace wordbridge {

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
