#include "io/compressed_stream.h"

#include "io/codec.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace wordbridge {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;

/// True where one is the beginning of the other and at least `least` bytes can be compared.
bool agrees(std::string_view bytes, std::string_view magic, std::size_t least) {
  const std::size_t length = std::min(bytes.size(), magic.size());
  return length >= least && bytes.substr(0, length) == magic.substr(0, length);
}

bool starts_zstd(std::string_view bytes) {
  if (agrees(bytes, "\x28\xB5\x2F\xFD"sv, 3)) return true;
  // A skippable frame, which parallel compressors put first: 0x184D2A50 to 0x184D2A5F, little-endian.
  return bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) & 0xF0) == 0x50 &&
         bytes.substr(1, 3) == "\x2A\x4D\x18"sv;
}

bool starts_bzip2(std::string_view bytes) {
  if (bytes.size() < 4 || bytes[3] < '1' || bytes[3] > '9' || bytes.substr(0, 3) != "BZh"sv) return false;
  // The number of the first block, or of the end of an empty stream; without it, a text might begin so.
  return agrees(bytes.substr(4), "\x31\x41\x59\x26\x53\x59"sv, 0) ||
         agrees(bytes.substr(4), "\x17\x72\x45\x38\x50\x90"sv, 0);
}

class StreamDecompressor : public Decompressor {
 public:
  StreamDecompressor(Compression compression, Input input, std::string path)
      : name_(name_of(compression)),
        padded_(compression == Compression::gzip || compression == Compression::xz),
        decoder_(make_decoder(compression)),
        input_(std::move(input)),
        path_(std::move(path)),
        buffer_(kBufferBytes) {}

  std::size_t read(char* buffer, std::size_t bytes) override {
    if (!failure_.empty()) throw CompressedStreamError(path_, 0, failure_);
    std::span<char> out(buffer, bytes);
    // Whoever has something does not wait for a pipe's writer.
    while (!out.empty() && (out.size() == bytes || !in_.empty()) && step(out)) {
    }
    const std::size_t count = bytes - out.size();
    if (count == 0 && !failure_.empty()) throw CompressedStreamError(path_, 0, failure_);
    return count;
  }

 private:
  /// Decodes a piece; false at the end or at damage, which it leaves in failure_.
  bool step(std::span<char>& out) {
    if (in_.empty() && !at_end_) {
      const std::size_t count = input_(buffer_.data(), buffer_.size());
      at_end_ = count == 0;
      in_ = {buffer_.data(), count};
    }
    if (between_) {
      while (padded_ && !in_.empty() && in_[0] == 0) in_ = in_.subspan(1);
      if (in_.empty()) return !at_end_;
      decoder_->restart();
      between_ = false;
    }
    const std::size_t before = in_.size() + out.size();
    const Decoder::State state = decoder_->decode(in_, out);
    if (state == Decoder::State::end) {
      between_ = true;
    } else if (state == Decoder::State::damage) {
      failure_ = std::string("the ") + name_ + " stream is damaged: " + decoder_->reason();
    } else if (at_end_ && in_.size() + out.size() == before) {
      failure_ = std::string("the ") + name_ + " stream ends early";
    }
    return failure_.empty();
  }

  std::string name_;
  bool padded_;  // zeros may follow a stream
  std::unique_ptr<Decoder> decoder_;
  Input input_;
  std::string path_;
  std::vector<char> buffer_;
  std::span<const char> in_;
  bool at_end_ = false;
  bool between_ = false;  // one stream is over, another may follow
  std::string failure_;
};

class StreamCompressor : public Compressor {
 public:
  StreamCompressor(Compression compression, Output output)
      : encoder_(make_encoder(compression)), output_(std::move(output)), buffer_(kBufferBytes) {}

  void write(std::string_view bytes) override {
    std::span<const char> in(bytes.data(), bytes.size());
    while (!in.empty()) encode(in, false);
  }

  void finish() override {
    std::span<const char> in;
    while (!encode(in, true)) {
    }
  }

 private:
  bool encode(std::span<const char>& in, bool finish) {
    std::span<char> out(buffer_);
    const bool ended = encoder_->encode(in, out, finish);
    output_({buffer_.data(), buffer_.size() - out.size()});
    return ended;
  }

  std::unique_ptr<Encoder> encoder_;
  Output output_;
  std::vector<char> buffer_;
};

}  // namespace

std::string_view name_of(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return "gzip";
    case Compression::zstd:
      return "zstd";
    case Compression::xz:
      return "xz";
    case Compression::bzip2:
      return "bzip2";
    case Compression::none:
      break;
  }
  return "";
}

Compression recognize_compression(std::string_view first_bytes) {
  if (agrees(first_bytes, "\x1F\x8B\x08"sv, 2)) return Compression::gzip;
  if (starts_zstd(first_bytes)) return Compression::zstd;
  if (agrees(first_bytes, "\xFD\x37zXZ\0"sv, 3)) return Compression::xz;
  if (starts_bzip2(first_bytes)) return Compression::bzip2;
  return Compression::none;
}

Compression compression_of_path(std::string_view path) {
  if (path.ends_with(".gz")) return Compression::gzip;
  if (path.ends_with(".zst")) return Compression::zstd;
  if (path.ends_with(".xz")) return Compression::xz;
  if (path.ends_with(".bz2")) return Compression::bzip2;
  return Compression::none;
}

std::unique_ptr<Decompressor> make_decompressor(Compression compression, Decompressor::Input input, std::string path) {
  return std::make_unique<StreamDecompressor>(compression, std::move(input), std::move(path));
}

std::unique_ptr<Compressor> make_compressor(Compression compression, Compressor::Output output) {
  return std::make_unique<StreamCompressor>(compression, std::move(output));
}

}  // namespace wordbridge
