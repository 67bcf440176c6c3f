#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "io/line_ends.h"

namespace wordbridge {

/// Lines of a stream, without the newlines (or, line_ends.h, the carriage returns alone) that end them; a byte order
/// mark is not part of the first.
class LineReader {
 public:
  /// `kind` is what the file should be, for the message about a line too long for it: "a lexicon".
  LineReader(ByteStream& stream, std::string_view kind);

  /// The next line, valid until the next call. InputError for one of more than kMostLineBytes (line_limit.h).
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

}  // namespace wordbridge
