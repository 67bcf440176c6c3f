#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// What became of a line of a text file.
struct TextRow {
  enum class Kind { row, blank, damage };
  Kind kind = Kind::blank;
  std::string_view word;         // of a row: without the blanks around it; may be empty
  std::string reason;            // of damage
  bool carriage_return = false;  // among the blanks at the end of the line
};

/// Splits a line (without its line break) into a word and values.size() numbers, which are stored there. The last
/// fields are the numbers, what comes before is the word, blanks inside included. Blanks at the end do not count, and
/// there a carriage return is one.
///
/// A row with too many numbers is damaged. But `route 66 0.1 0.2` may have two and the word `route 66`: so the fields
/// next to the numbers count as numbers too only if one of them is written with a point or an exponent.
TextRow parse_text_row(std::string_view line, std::span<float> values);

/// How many fields at the end of the line are numbers, the first field never counted: the dimension of a row that has
/// one word without blanks.
std::size_t trailing_numbers(std::string_view line);

/// The line without the blanks at its end.
std::string_view without_final_blanks(std::string_view line);
/// True for blanks that separate fields: space and tab.
inline bool is_field_blank(char letter) { return letter == ' ' || letter == '\t'; }

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

/// Of UTF-8; some programs put it before a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// What the first lines of a text file tell of it.
struct TextStart {
  struct Header {
    std::uint64_t rows = 0, dimension = 0;
  };

  bool byte_order_mark = false;
  std::optional<Header> header;
  std::size_t dimension = 0;
  bool final_blanks = false;  // the first row ends in a blank, as all rows of fastText do
  std::size_t bytes = 0;      // before the first row: byte order mark and header
};

/// Reads the start of a file: its first lines, two at least if it has as many. InputError where it holds nothing like
/// word vectors.
///
/// A first line of two whole numbers `n d` is a header, unless the next line is a word and one number and d is not 1:
/// then it is the row of the word n with one number. Without a header, the dimension is the commonest number of numbers
/// at the end of the first lines, at most 64, the larger of equally common ones: some words look like numbers, and some
/// rows are damaged, but not most.
TextStart recognize_text_start(const std::string& path, std::string_view text);

}  // namespace wordbridge
