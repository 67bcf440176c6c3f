#include "wordbridge/vectors/formats/text_row.h"

#include <fmt/format.h>

#include <vector>

#include "wordbridge/vectors/formats/number.h"
#include "wordbridge/vectors/formats/row_screen.h"

namespace wordbridge {

namespace {

std::string_view without_blanks_at_end(std::string_view text) {
  while (!text.empty() && is_field_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_blanks(std::string_view text) {
  text = without_blanks_at_end(text);
  while (!text.empty() && is_field_blank(text.front())) text.remove_prefix(1);
  return text;
}

/// The last field, taken off the end of the text with the blanks before it; empty where there is none.
std::string_view take_last_field(std::string_view& text) {
  text = without_blanks_at_end(text);
  std::size_t begin = text.size();
  while (begin > 0 && !is_field_blank(text[begin - 1])) --begin;
  const std::string_view field = text.substr(begin);
  text = text.substr(0, begin);
  return field;
}

/// The usual row: a word without blanks, then as many numbers as wanted.
bool parse_usual_row(std::string_view line, std::span<float> values) {
  std::size_t at = 0;
  while (at < line.size() && !is_field_blank(line[at])) ++at;
  for (float& value : values) {
    while (at < line.size() && is_field_blank(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !is_field_blank(line[at])) ++at;
    const auto number = parse_number(line.substr(begin, at - begin));
    if (!number) return false;
    value = *number;
  }
  return at == line.size();
}

/// True for a field that can only be a value: a number with a decimal point or an exponent. A word such as `5` is not.
bool is_surely_value(std::string_view field) {
  return field.find_first_of(".eE") != std::string_view::npos && parse_number(field).has_value() &&
         field.find_first_of("0123456789") != std::string_view::npos;
}

TextRow damage(std::string reason) { return {TextRow::Kind::damage, {}, std::move(reason)}; }

/// Every other row: the numbers are taken from the right, what is left is the word.
TextRow parse_unusual_row(std::string_view line, std::span<float> values) {
  std::string_view rest = line;
  for (std::size_t i = values.size(); i-- > 0;) {
    const std::string_view field = take_last_field(rest);
    if (field.empty())
      return damage(
          fmt::format("the row has {} fields, a word and {} numbers are wanted", values.size() - 1 - i, values.size()));
    const auto number = parse_number(field);
    if (!number && without_blanks(rest).empty())
      return damage(fmt::format("the row has {} numbers, {} are wanted", values.size() - 1 - i, values.size()));
    if (!number) return damage(fmt::format("{} is not a finite number", quoted_word(field)));
    values[i] = *number;
  }
  if (without_blanks(rest).empty() &&
      !is_field_blank(line.front()))  // the first field is a word that looks like a number
    return damage(fmt::format("the row has {} numbers, {} are wanted", values.size() - 1, values.size()));
  std::string_view word_part = rest;
  if (is_surely_value(take_last_field(word_part)) && !without_blanks(word_part).empty())
    return damage(fmt::format("the row has more than {} numbers", values.size()));
  return {TextRow::Kind::row, without_blanks(rest), {}};
}

}  // namespace

TextRow parse_text_row(std::string_view line, std::span<float> values) {
  line = without_blanks_at_end(line);
  if (line.empty()) return {};
  if (!is_field_blank(line.front()) && parse_usual_row(line, values)) {
    std::size_t end = 0;
    while (end < line.size() && !is_field_blank(line[end])) ++end;
    return {TextRow::Kind::row, line.substr(0, end), {}};
  }
  return parse_unusual_row(line, values);
}

std::size_t trailing_numbers(std::string_view line) {
  std::size_t count = 0;
  for (std::string_view rest = line;;) {
    const std::string_view field = take_last_field(rest);
    if (field.empty() || !parse_number(field)) return count;
    if (without_blanks(rest).empty()) return count;  // the first field is the word, whatever it looks like
    ++count;
  }
}

}  // namespace wordbridge
