#include "wordbridge/vectors/formats/number.h"

#include <locale.h>
#include <stdlib.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace wordbridge {

namespace {

/// The rare cases that from_chars calls out of range: denormals and underflow are numbers, overflow is not.
std::optional<float> parse_out_of_range(std::string_view text) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const float value = strtof_l(std::string(text).c_str(), nullptr, plain);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<float> parse_slowly(std::string_view text) {
  // from_chars takes no '+', and takes `inf`, `nan` and nothing else that strtof does not: so look at what comes first.
  const bool plus = text.starts_with('+');
  if (plus) text.remove_prefix(1);
  const std::string_view unsigned_text = text.substr(!plus && text.starts_with('-') ? 1 : 0);
  if (unsigned_text.empty()) return std::nullopt;
  const char first = unsigned_text.front();
  if (first != '.' && (first < '0' || first > '9')) return std::nullopt;
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return parse_out_of_range(text);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<float> parse_number(std::string_view text) {
  // Nearly all numbers are short decimals. With a mantissa up to 2^24 and a power of ten up to 10^10, both exact in
  // float, one division is correctly rounded (Clinger), so it gives what strtof gives.
  static constexpr float kPowers[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
  const char* next = text.data();
  const char* const end = next + text.size();
  const bool negative = next != end && *next == '-';
  next += negative;
  std::uint32_t mantissa = 0;
  const char* const digits = next;
  while (next != end && static_cast<unsigned char>(*next - '0') < 10 && next - digits < 9)
    mantissa = mantissa * 10 + static_cast<std::uint32_t>(*next++ - '0');
  std::size_t decimals = 0, count = static_cast<std::size_t>(next - digits);
  if (next != end && *next == '.') {
    const char* const fraction = ++next;
    while (next != end && static_cast<unsigned char>(*next - '0') < 10 &&
           count + static_cast<std::size_t>(next - fraction) < 10 && mantissa <= (0xFFFFFFFFu - 9) / 10)
      mantissa = mantissa * 10 + static_cast<std::uint32_t>(*next++ - '0');
    decimals = static_cast<std::size_t>(next - fraction);
    count += decimals;
  }
  if (next == end && count > 0 && mantissa <= (1u << 24) && decimals <= 10) {
    const float value = static_cast<float>(mantissa) / kPowers[decimals];
    return negative ? -value : value;
  }
  return parse_slowly(text);
}

}  // namespace wordbridge
