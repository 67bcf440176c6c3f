#include "wordbridge/option_info.h"

#include "base/option_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/option_error.h"
#include "base/wording.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// The number that all of the text is.
template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "from 1 to 16", "0 or more", "above 0 and below 1"; empty where every number is allowed.
std::string range_text(const OptionInfo& option) {
  const bool has_min = std::isfinite(option.min), has_max = std::isfinite(option.max);
  if (has_min && has_max && !option.above_min && !option.below_max)
    return fmt::format("from {} to {}", option.min, option.max);
  const std::string low = !has_min           ? ""
                          : option.above_min ? fmt::format("above {}", option.min)
                                             : fmt::format("{} or more", option.min);
  const std::string high = !has_max           ? ""
                           : option.below_max ? fmt::format("below {}", option.max)
                                              : fmt::format("at most {}", option.max);
  return fmt::format("{}{}{}", low, has_min && has_max ? " and " : "", high);
}

bool is_in_range(const OptionInfo& option, double value) {
  return (option.above_min ? value > option.min : value >= option.min) &&
         (option.below_max ? value < option.max : value <= option.max);
}

template <class T>
T in_range(const OptionInfo& option, T value, const std::string& text) {
  if (is_in_range(option, static_cast<double>(value))) return value;
  throw OptionError(OptionName(option.name) + fmt::format(" must be {}, not {}", range_text(option), text));
}

/// The parts between commas, as many as there are: "1," has two.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

}  // namespace

std::string OptionInfo::help_with_default() const {
  const bool shown = !default_text.empty() && kind != OptionKind::flag;
  return shown ? fmt::format("{} (default: {})", help, default_text) : help;
}

OptionValue::OptionValue(double value) : text_(real_text(value)) {}
OptionValue::OptionValue(const std::vector<double>& values) : text_(reals_text(values)) {}

bool parse_flag(const OptionInfo& option, const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw OptionError(OptionName(option.name) + fmt::format(": '{}' is neither true nor false", text));
}

std::int64_t parse_whole(const OptionInfo& option, const std::string& text) {
  if (!option.zero.empty() && text == option.zero) return 0;
  const auto value = number_in<std::int64_t>(text);
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const bool digits = text.size() > sign && text.find_first_not_of("0123456789", sign) == std::string::npos;
  // Digits that are no such number are of a larger one.
  if (!value && digits)
    throw OptionError(OptionName(option.name) + fmt::format(" must be {}, not {}", range_text(option), text));
  if (!value) throw OptionError(OptionName(option.name) + fmt::format(": '{}' is not a whole number", text));
  return in_range(option, *value, text);
}

double parse_real(const OptionInfo& option, const std::string& text) {
  const auto value = number_in<double>(text);
  if (!value || !std::isfinite(*value))
    throw OptionError(OptionName(option.name) + fmt::format(": '{}' is not a number", text));
  return in_range(option, *value, text);
}

std::size_t parse_choice(const OptionInfo& option, const std::string& text) {
  const auto found = std::ranges::find(option.choices, text);
  if (found == option.choices.end()) throw OptionError(OptionName(option.name) + ": " + none_of(text, option.choices));
  return static_cast<std::size_t>(found - option.choices.begin());
}

std::vector<double> parse_reals(const OptionInfo& option, const std::string& text) {
  std::vector<double> values;
  for (const std::string& part : parts_of(text)) {
    const auto value = number_in<double>(part);
    if (!value || !std::isfinite(*value) || !is_in_range(option, *value))
      throw OptionError(OptionName(option.name) +
                        fmt::format(" takes numbers {} joined by commas, not '{}'", range_text(option), text));
    values.push_back(*value);
  }
  return values;
}

std::vector<std::int64_t> parse_wholes(const OptionInfo& option, const std::string& text) {
  std::vector<std::int64_t> values;
  for (const std::string& part : parts_of(text)) {
    const auto value = number_in<std::int64_t>(part);
    if (!value || !is_in_range(option, static_cast<double>(*value)))
      throw OptionError(OptionName(option.name) +
                        fmt::format(" takes whole numbers {} joined by commas, not '{}'", range_text(option), text));
    values.push_back(*value);
  }
  return values;
}

std::string none_of(std::string_view name, const std::vector<std::string>& known) {
  // Of two letters every other pair is near.
  const std::string near = name.size() > 2 ? closest(name, known) : "";
  return fmt::format("'{}' is none of {}{}", name, fmt::join(known, ", "),
                     near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

std::string real_text(double value) { return fmt::format("{}", value); }

std::string reals_text(const std::vector<double>& values) { return fmt::format("{}", fmt::join(values, ",")); }

void throw_unknown_option(std::string_view name, const std::vector<std::string>& known) {
  const std::string near = closest(name, known);
  if (near.empty()) throw UsageError(fmt::format("unknown option '{}'", name));
  throw OptionError(fmt::format("unknown option '{}'; did you mean ", name) + OptionName(near) + "?");
}

}  // namespace wordbridge
