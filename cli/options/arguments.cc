#include "cli/options/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace wordbridge::cli {

namespace {

/// CLI11 takes "-1" for a large number where an unsigned one is expected.
std::string check_whole_number(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? "" : fmt::format("'{}' is not a whole number from 0 up", text);
}

/// Of a number from `min` to `max`; larger ones than fit are beyond it, too.
std::string check_range(const std::string& text, std::uint64_t min, std::uint64_t max) {
  if (std::string wrong = check_whole_number(text); !wrong.empty()) return wrong;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && value >= min && value <= max) return {};
  if (error == std::errc() && value < min) return fmt::format("{} is less than {}", text, min);
  return fmt::format("{} is not in the range from {} to {}", text, min, max);
}

/// Not "nan", nor "inf".
std::string check_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && std::isfinite(value) ? "" : fmt::format("'{}' is not a number", text);
}

constexpr char kShield = '\x01';

}  // namespace

std::vector<std::string> Arguments::shielded(int argc, const char* const* argv) {
  std::vector<std::string> result;
  bool options_are_over = false;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    if (!options_are_over && argument == "--") {
      options_are_over = true;
      continue;
    }
    const bool needs_shield = argument.starts_with('[') || (options_are_over && argument.starts_with('-'));
    result.push_back(needs_shield ? kShield + argument : argument);
  }
  return result;
}

std::string Arguments::unshielded(std::string text) {
  std::erase(text, kShield);
  return text;
}

CLI::Option& Arguments::placed(CLI::Option* option, const std::string& kind) const {
  option->type_name(kind);
  if (!option->get_positional()) option->group(heading_);
  return *option;
}

CLI::Option& Arguments::placed_text(CLI::Option* option, const std::string& kind) const {
  option->transform(unshielded, "");
  return placed(option, kind);
}

void Arguments::file(const std::string& name, std::string& value, const std::string& description) {
  placed_text(app_.add_option(name, value, description), "FILE").required();
}

void Arguments::list(const std::string& name, std::vector<std::string>& values, std::size_t min, std::size_t max,
                     const std::string& usage, const std::string& description) {
  CLI::Option& option = placed_text(app_.add_option(name, values, description), usage);
  option.required(min > 0 && !name.starts_with('-'));
  option.expected(static_cast<int>(min), static_cast<int>(max));
}

void Arguments::text(const std::string& names, std::string& value, const std::string& kind,
                     const std::string& description, Need need) {
  placed_text(app_.add_option(names, value, description), kind).required(need == Need::required);
}

void Arguments::number(const std::string& names, std::uint64_t& value, std::uint64_t min, std::uint64_t max,
                       const std::string& description) {
  placed(app_.add_option(names, value, description), "N").check([min, max](const std::string& text) {
    return check_range(text, min, max);
  });
}

void Arguments::number(const std::string& names, std::optional<std::size_t>& value, const std::string& description) {
  placed(app_.add_option(names, value, description), "N").check([](const std::string& text) {
    return check_range(text, 0, std::numeric_limits<std::size_t>::max());
  });
}

void Arguments::number(const std::string& names, double& value, const std::string& description) {
  placed(app_.add_option(names, value, description), "X").check(check_number);
}

void Arguments::number(const std::string& names, std::optional<double>& value, const std::string& description) {
  placed(app_.add_option(names, value, description), "X").check(check_number);
}

void Arguments::raw(const std::string& names, std::optional<std::string>& value, const std::string& kind,
                    const std::string& description) {
  if (kind.empty())
    placed(app_.add_flag_callback(
               names, [&value] { value = "true"; }, description),
           kind);
  else
    placed_text(app_.add_option(names, value, description), kind);
}

void Arguments::option(const OptionInfo& info, const std::function<void(const std::string& text)>& take) {
  const std::string letter = info.short_name.empty() ? "" : "-" + info.short_name + ",";
  placed_text(app_.add_option_function<std::string>(letter + "--" + info.name, take, info.help_with_default()),
              info.value_name);
}

void Arguments::flag(const std::string& names, bool& value, const std::string& description) {
  placed(app_.add_flag(names, value, description), "");
}

void Arguments::choice(const std::string& names, std::string& value, std::vector<std::string> choices,
                       const std::string& description) {
  CLI::Option& option =
      placed_text(app_.add_option(names, value, description), fmt::format("{}", fmt::join(choices, "|")));
  option.required(!names.starts_with('-'));
  option.check([choices = std::move(choices)](const std::string& word) -> std::string {
    if (std::find(choices.begin(), choices.end(), word) != choices.end()) return {};
    return fmt::format("'{}' is none of {}", word, fmt::join(choices, ", "));
  });
}

void Arguments::exclude(const std::string& one, const std::string& other) {
  app_.get_option(one)->excludes(app_.get_option(other));
}

std::vector<std::string> Arguments::given(const std::vector<std::string>& but) const {
  std::vector<std::string> files, options;
  for (const CLI::Option* option : app_.get_options()) {
    if (option->count() == 0 || option->get_group() == kEverywhere) continue;
    if (std::ranges::any_of(but, [&](const std::string& name) { return option->check_name(name); })) continue;
    std::vector<std::string>& place = option->get_positional() ? files : options;
    if (!option->get_positional()) place.push_back(option->get_name());
    if (option->get_items_expected_max() == 0) continue;  // a flag
    for (const std::string& value : option->results()) place.push_back(unshielded(value));
  }
  // Files first: an option that takes several values would take them, too.
  files.insert(files.end(), options.begin(), options.end());
  return files;
}

std::vector<std::string> Arguments::choices_of(const CLI::Option& option) {
  // A kind in capitals is no set of words, nor is the usage of a list.
  const std::string kind = option.get_type_name();
  const bool is_choice =
      option.get_items_expected_max() == 1 && kind.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos;
  return is_choice ? CLI::detail::split(kind, '|') : std::vector<std::string>{};
}

}  // namespace wordbridge::cli
