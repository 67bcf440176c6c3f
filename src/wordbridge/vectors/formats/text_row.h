#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace wordbridge {

/// What became of a line of a text file.
struct TextRow {
  enum class Kind { row, blank, damage };
  Kind kind = Kind::blank;
  std::string_view word;  // of a row: without the blanks around it; may be empty
  std::string reason;     // of damage
};

/// Splits a line (without its line break) into a word and values.size() numbers, which are stored there. Blanks at the
/// end do not count, and a carriage return is one.
TextRow parse_text_row(std::string_view line, std::span<float> values);

/// How many fields at the end of the line are numbers, the first field never counted: the dimension of a row that has
/// one word without blanks.
std::size_t trailing_numbers(std::string_view line);

/// True for blanks that separate fields: space, tab, carriage return.
inline bool is_field_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

}  // namespace wordbridge
