#pragma once
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wordbridge {

/// The float that strtof gives for a decimal number in the "C" locale, bit for bit, whatever the program's locale.
/// Nothing for text that is not wholly a number, for hexadecimal, for `inf` and `nan`, and where the value overflows.
std::optional<float> parse_number(std::string_view text);

/// A double has 29 bits more than a float. If it was computed with less than 8 units of error in the last place, then
/// rounding it to float gives what rounding the exact value gives, unless it lies within 8 units of the middle between
/// two floats, where these bits are 1000...0. True where it does not; for values that are normal as floats.
inline bool rounds_safely(double value) {
  return ((std::bit_cast<std::uint64_t>(value) - 0x10000000 + 8) & 0x1FFFFFFF) > 16;
}

}  // namespace wordbridge
