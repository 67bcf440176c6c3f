#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/option_info.h"

namespace wordbridge {

// Text to value, with a UsageError that names the option where it cannot be; and back.
bool parse_flag(const OptionInfo& option, const std::string& text);
std::int64_t parse_whole(const OptionInfo& option, const std::string& text);
double parse_real(const OptionInfo& option, const std::string& text);
std::size_t parse_choice(const OptionInfo& option, const std::string& text);  // place among the choices
std::vector<double> parse_reals(const OptionInfo& option, const std::string& text);
std::vector<std::int64_t> parse_wholes(const OptionInfo& option, const std::string& text);
std::string real_text(double value);
std::string reals_text(const std::vector<double>& values);

/// "'x' is none of a, b", with the nearest of them.
std::string none_of(std::string_view name, const std::vector<std::string>& known);
/// UsageError for a name that none of `known` has, with the nearest of them.
[[noreturn]] void throw_unknown_option(std::string_view name, const std::vector<std::string>& known);

}  // namespace wordbridge
