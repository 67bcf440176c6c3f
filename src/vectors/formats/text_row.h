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

}  // namespace wordbridge
