#pragma once
#include <string_view>
#include <vector>

namespace wordbridge {

/// The text without blanks, tabs and carriage returns at its ends.
std::string_view trim(std::string_view text);

/// The words between blanks, tabs and carriage returns.
std::vector<std::string_view> split_at_blanks(std::string_view line);

/// What is between the separators, trimmed; n separators make n + 1 fields.
std::vector<std::string_view> split_at(std::string_view line, char separator);

}  // namespace wordbridge
