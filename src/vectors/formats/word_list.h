#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "io/byte_stream.h"
#include "io/lines.h"

namespace wordbridge {

/// Of a list of words: the first 64 bits of the SHA-256 of its lines.
class WordsDigest {
 public:
  void add(std::string_view word) {
    hash_.update(word);
    hash_.update("\n");
  }
  /// Ends the list.
  std::uint64_t value();

 private:
  Sha256 hash_;
};

/// The words of a vocabulary file: one a line, in the order of the table's rows. The whole line is the word, blanks
/// included; a byte order mark and carriage returns at the end of lines are taken off. The file may be compressed. It
/// is gone over once to know it and then again word by word, so that it need not fit into memory; only what comes from
/// a pipe is kept.
class WordList {
 public:
  /// IoError for a missing file, InputError with the line for absurdly long words.
  explicit WordList(std::string path);

  std::uint64_t size() const { return size_; }
  /// Without empty words at the end.
  std::uint64_t filled_size() const { return filled_size_; }
  /// As WordsDigest has it.
  std::uint64_t digest() const { return digest_; }
  bool byte_order_mark() const { return byte_order_mark_; }
  bool carriage_returns() const { return carriage_returns_; }
  const std::string& path() const { return path_; }

  /// The next word; InputError where the file became shorter since.
  std::string next();

 private:
  std::optional<std::string> read();
  void open();

  std::string path_;
  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<LineReader> lines_;
  std::vector<std::string> kept_;  // all words, of a pipe
  std::uint64_t size_ = 0, filled_size_ = 0, digest_ = 0, given_ = 0;
  bool byte_order_mark_ = false, carriage_returns_ = false;
};

}  // namespace wordbridge
