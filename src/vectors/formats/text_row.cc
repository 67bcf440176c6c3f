#include "vectors/formats/text_row.h"

#include <fmt/format.h>

#include <utility>

#include "io/number.h"
#include "vectors/formats/row_screen.h"

namespace wordbridge {

namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_field_blank(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_field_blank(text.front())) text.remove_prefix(1);
  return text;
}

/// Hands out the fields of a text from the last to the first.
class FieldsFromTheRight {
 public:
  explicit FieldsFromTheRight(std::string_view text) : rest_(text) {}

  /// Empty where there is none left.
  std::string_view next() {
    while (!rest_.empty() && is_field_blank(rest_.back())) rest_.remove_suffix(1);
    std::size_t begin = rest_.size();
    while (begin > 0 && !is_field_blank(rest_[begin - 1])) --begin;
    const std::string_view field = rest_.substr(begin);
    rest_ = rest_.substr(0, begin);
    return field;
  }
  /// What stands before the fields that were handed out, without the blanks around it.
  std::string_view rest() const { return without_blanks(rest_); }

 private:
  std::string_view rest_;
};

/// True for numbers as programs write components: with a point or an exponent.
bool has_point(std::string_view number) { return number.find_first_of(".eE") != std::string_view::npos; }

/// True where the fields next to the numbers are numbers too, by the rule of parse_text_row(). The first field is the
/// word, whatever it looks like.
bool has_more_numbers(std::string_view before) {
  FieldsFromTheRight fields(before);
  for (;;) {
    const std::string_view field = fields.next();
    if (fields.rest().empty() || !parse_number(field)) return false;
    if (has_point(field)) return true;
  }
}

TextRow damage(std::string reason) { return {.kind = TextRow::Kind::damage, .word = {}, .reason = std::move(reason)}; }

std::string wrong_count(std::size_t numbers, std::size_t wanted) {
  return fmt::format("the row has {} {}, {} {} wanted", numbers, numbers == 1 ? "number" : "numbers", wanted,
                     wanted == 1 ? "is" : "are");
}

TextRow parse_fields(std::string_view line, std::span<float> values) {
  FieldsFromTheRight fields(line);
  std::string not_a_number;
  for (std::size_t i = values.size(); i-- > 0;) {
    const std::string_view field = fields.next();
    const bool last_left = fields.rest().empty();
    if (last_left && (i > 0 || !is_field_blank(line.front())))  // this one is the word
      return damage(not_a_number.empty() ? wrong_count(values.size() - 1 - i, values.size()) : std::move(not_a_number));
    const auto number = parse_number(field);
    if (number)
      values[i] = *number;
    else
      not_a_number = fmt::format("{} is not a finite number", quoted_word(field));
  }
  if (!not_a_number.empty()) return damage(std::move(not_a_number));
  if (has_more_numbers(fields.rest()))
    return damage(fmt::format("the row has more than {} {}", values.size(), values.size() == 1 ? "number" : "numbers"));
  return {.kind = TextRow::Kind::row, .word = fields.rest(), .reason = {}};
}

}  // namespace

std::string_view without_final_blanks(std::string_view line) {
  while (!line.empty() && (is_field_blank(line.back()) || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

TextRow parse_text_row(std::string_view line, std::span<float> values) {
  const std::string_view content = without_final_blanks(line);
  TextRow row = content.empty() ? TextRow{} : parse_fields(content, values);
  row.carriage_return = line.substr(content.size()).find('\r') != std::string_view::npos;
  return row;
}

std::size_t trailing_numbers(std::string_view line) {
  FieldsFromTheRight fields(without_final_blanks(line));
  std::size_t count = 0;
  while (parse_number(fields.next()) && !fields.rest().empty()) ++count;
  return count;
}

}  // namespace wordbridge
