#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "wordbridge/error.h"

namespace wordbridge {

/// The longest line of any text that is read (vectors, lexicons, lists of words, test sets, matrices, words on standard
/// input): a row of the most dimensions fits, and a small compressed file that is one endless line is noticed before it
/// fills the memory.
inline constexpr std::size_t kMostLineBytes = std::size_t{64} << 20;

/// The error for a longer one; `kind` is what the file should be: "a lexicon". Line 0: not known.
InputError line_too_long(std::string path, std::uint64_t line, std::string_view kind);

/// The bytes of a text for whoever takes a newline for the end of a line. Where lines end in carriage returns alone, as
/// on old Macs, each of these comes out as a newline: where the first 64 KiB that have any line end have carriage
/// returns and no newline.
class LineEnds {
 public:
  explicit LineEnds(ByteStream& stream) : stream_(stream) {}

  /// As ByteStream::read().
  std::size_t read(char* buffer, std::size_t bytes);

 private:
  ByteStream& stream_;
  bool known_ = false, returns_ = false;
};

/// Lines of a stream, without the newlines (or the carriage returns alone) that end them; a byte order
/// mark is not part of the first.
class LineReader {
 public:
  /// `kind` is what the file should be, for the message about a line too long for it: "a lexicon".
  LineReader(ByteStream& stream, std::string_view kind);

  /// The next line, valid until the next call. InputError for one of more than kMostLineBytes.
  std::optional<std::string_view> next();
  /// Of the line that next() gave last, from 1.
  std::uint64_t number() const { return number_; }

 private:
  std::string_view take(std::size_t end, std::size_t next_begin);

  ByteStream& stream_;
  LineEnds ends_;
  std::string kind_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what was not yet handed out
  bool at_end_ = false;
  std::uint64_t number_ = 0;
};

/// Whole lines of a file. The text has margins, bytes that may be looked at though they do not belong to it. Kept for
/// the next block, the memory is used again.
struct LineBlock {
  std::string_view text;
  bool last = false;           // nothing follows
  std::string damage;          // what is wrong with the stream behind the text; empty: nothing
  std::exception_ptr failure;  // what made reading on impossible and is nobody's dirt

  std::unique_ptr<char[]> memory;
  std::size_t capacity = 0;
};

/// Cuts a stream into blocks of whole lines. The last line of the last block may lack its line break. A line of more
/// than kMostLineBytes is damage that nothing helps against: the file is no text.
class LineBlocks {
 public:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
  static constexpr std::size_t kMarginBefore = 64, kMarginAfter = 64;
  /// Of the first block, where that is enough for its lines: whoever writes a pipe learns soon that it is no text.
  static constexpr std::size_t kStartBytes = std::size_t{64} << 10;

  explicit LineBlocks(std::unique_ptr<ByteStream> stream) : stream_(std::move(stream)), ends_(*stream_) {}

  /// The next lines, at least so many unless the file ends; false at the end. Damage behind good lines comes with them.
  bool next(LineBlock& block, std::size_t least_lines = 1);

  const ByteStream& stream() const { return *stream_; }

 private:
  std::size_t fill(LineBlock& block, std::size_t size, std::size_t most);
  void find_end(LineBlock& block);

  std::unique_ptr<ByteStream> stream_;
  LineEnds ends_;
  std::string carry_;  // the beginning of a line
  bool begun_ = false, ended_ = false;
};

}  // namespace wordbridge
