#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/option_info.h"

namespace wordbridge {

// Text to value, with a UsageError that names the option if it is invalid; and back.
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

/// How the values of a type are read from text and written; one for each type that a field of options may have.
template <class T>
struct OptionCodec;

template <>
struct OptionCodec<bool> {
  static constexpr OptionKind kKind = OptionKind::flag;
  static bool read(const OptionInfo& option, const std::string& text) { return parse_flag(option, text); }
  static std::string write(const OptionInfo&, bool value) { return value ? "true" : "false"; }
};

template <std::integral T>
struct OptionCodec<T> {
  static constexpr OptionKind kKind = OptionKind::whole;
  static T read(const OptionInfo& option, const std::string& text) { return static_cast<T>(parse_whole(option, text)); }
  static std::string write(const OptionInfo& option, T value) {
    return value == 0 && !option.zero.empty() ? option.zero : std::to_string(value);
  }
};

template <>
struct OptionCodec<double> {
  static constexpr OptionKind kKind = OptionKind::real;
  static double read(const OptionInfo& option, const std::string& text) { return parse_real(option, text); }
  static std::string write(const OptionInfo&, double value) { return real_text(value); }
};

template <>
struct OptionCodec<std::string> {
  static constexpr OptionKind kKind = OptionKind::text;
  static std::string read(const OptionInfo& option, const std::string& text) {
    if (!option.choices.empty()) parse_choice(option, text);
    return text;
  }
  static std::string write(const OptionInfo&, const std::string& value) { return value; }
};

template <>
struct OptionCodec<std::vector<double>> {
  static constexpr OptionKind kKind = OptionKind::reals;
  static std::vector<double> read(const OptionInfo& option, const std::string& text) {
    return parse_reals(option, text);
  }
  static std::string write(const OptionInfo&, const std::vector<double>& values) { return reals_text(values); }
};

template <>
struct OptionCodec<std::vector<int>> {
  static constexpr OptionKind kKind = OptionKind::wholes;
  static std::vector<int> read(const OptionInfo& option, const std::string& text) {
    const std::vector<std::int64_t> values = parse_wholes(option, text);
    return {values.begin(), values.end()};
  }
  static std::string write(const OptionInfo&, const std::vector<int>& values) {
    return reals_text({values.begin(), values.end()});
  }
};

/// A field that may be without a value.
template <class T>
struct OptionCodec<std::optional<T>> {
  static constexpr OptionKind kKind = OptionCodec<T>::kKind;
  static std::optional<T> read(const OptionInfo& option, const std::string& text) {
    const bool zero = !text.empty() && text.find_first_not_of("0.") == std::string::npos;
    if (text == option.unset || (option.zero_is_unset && zero)) return std::nullopt;
    return OptionCodec<T>::read(option, text);
  }
  static std::string write(const OptionInfo& option, const std::optional<T>& value) {
    return value ? OptionCodec<T>::write(option, *value) : option.unset;
  }
};

}  // namespace wordbridge
