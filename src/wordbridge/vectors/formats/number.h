#pragma once
#include <optional>
#include <string_view>

namespace wordbridge {

/// The float that strtof gives for a decimal number in the "C" locale, bit for bit, whatever the program's locale.
/// Nothing for text that is not wholly a number, for hexadecimal, for `inf` and `nan`, and where the value overflows.
std::optional<float> parse_number(std::string_view text);

}  // namespace wordbridge
