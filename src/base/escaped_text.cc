#include "base/escaped_text.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace wordbridge {

namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The bytes of the UTF-8 character at the front; 1 for a byte that begins none.
std::size_t character_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead >= 0xF8 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  if (length > text.size()) return 1;
  for (std::size_t i = 1; i < length; ++i)
    if (!is_continuation(text[i])) return 1;
  return length;
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 || (first >= 0x7F && first < 0xA0);
  return character.size() == 2 && first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
}

void append_byte(std::string& out, char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  switch (byte) {
    case '\t':
      out += "\\t";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    default:
      out += {'\\', 'x', digits[value >> 4], digits[value & 15]};
  }
}

/// Takes the character at the front.
std::string_view take_character(std::string_view& text) {
  const std::string_view character = text.substr(0, character_bytes(text));
  text.remove_prefix(character.size());
  return character;
}

void append_escaped(std::string& out, std::string_view character) {
  for (const char byte : character) append_byte(out, byte);
}

std::optional<char> hex_byte(std::string_view digits) {
  unsigned value = 0;
  if (digits.size() < 2) return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + 2, value, 16);
  return error == std::errc() && end == digits.data() + 2 ? std::optional(static_cast<char>(value)) : std::nullopt;
}

}  // namespace

std::string escape_controls(std::string_view text, Layout layout) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view character = take_character(text);
    const bool is_layout = layout == Layout::kept && (character == "\n" || character == "\t");
    if (is_control(character) && !is_layout)
      append_escaped(out, character);
    else
      out += character;
  }
  return out;
}

std::string escape_field(std::string_view field) {
  std::string out;
  out.reserve(field.size());
  const std::size_t first = std::min(field.find_first_not_of(' '), field.size());
  const std::size_t after = field.find_last_not_of(' ') + 1;  // 0 where there are blanks only
  const bool looks_like_comment = field.starts_with("# ");
  for (std::string_view rest = field; !rest.empty();) {
    const std::size_t at = field.size() - rest.size();
    const std::string_view character = take_character(rest);
    if (is_control(character) || at < first || at >= after || (at == 0 && looks_like_comment))
      append_escaped(out, character);
    else if (character == "\\")
      out += "\\\\";
    else
      out += character;
  }
  return out;
}

std::string unescape_field(std::string_view field) {
  std::string out;
  out.reserve(field.size());
  while (!field.empty()) {
    const char next = field.size() > 1 ? field[1] : '\0';
    std::size_t taken = 1;
    if (field[0] != '\\') {
      out += field[0];
    } else if (next == 't' || next == 'n' || next == 'r' || next == '\\') {
      out += next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : '\\';
      taken = 2;
    } else if (const auto byte = next == 'x' ? hex_byte(field.substr(2)) : std::nullopt) {
      out += *byte;
      taken = 4;
    } else {
      out += '\\';
    }
    field.remove_prefix(taken);
  }
  return out;
}

std::string csv_cell(std::string_view text, Formulas formulas) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const char* const begin = text.data() + (text.starts_with('+') && !text.starts_with("+-") ? 1 : 0);
  const auto parsed = std::from_chars(begin, end, number);
  const bool is_number = !text.empty() && parsed.ec == std::errc() && parsed.ptr == end;
  const bool is_formula =
      !is_number && text.size() > 1 && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
  if (!is_formula && text.find_first_of("\",\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = is_formula && formulas == Formulas::disarmed ? "\"'" : "\"";
  for (const char c : text) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + '"';
}

}  // namespace wordbridge
