#pragma once
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "io/line_ends.h"

namespace wordbridge {

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
