#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// The lines of a block of text, parsed, in order. Words point into the text.
class TextLines {
 public:
  enum class Kind : std::uint8_t { row, no_word, blank, damage };
  struct Line {
    std::string_view word;
    Kind kind = Kind::blank;
    bool carriage_return = false;
    // Of rows only:
    bool zero = false, invalid_utf8 = false, spaced = false;
  };

  /// Parses the text, which has margins as LineBlock has; what was parsed before is forgotten, its memory used again.
  void parse(std::string_view text, std::size_t dimension);

  const std::vector<Line>& lines() const { return lines_; }
  /// The vectors of the lines of kind `row`, one after the other.
  std::span<const float> row(std::size_t i) const { return {rows_.data() + i * rows_.cols(), rows_.cols()}; }
  std::size_t rows() const { return row_count_; }
  /// The reasons of the lines of kind `damage`, one after the other.
  const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  std::vector<Line> lines_;
  Matrix rows_;
  std::size_t row_count_ = 0;
  std::vector<std::string> reasons_;
};

}  // namespace wordbridge
