#include "cli/parse_reason.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "base/wording.h"

namespace wordbridge::cli {

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string unknown(const char* kind, const std::string& word, const std::vector<std::string>& known) {
  const std::string near = closest(word, known);
  return fmt::format("unknown {} '{}'{}", kind, word, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near));
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// How the option or the arguments are called in the help.
std::string shown(const CLI::Option& option) {
  return option.get_items_expected_max() > 1 && option.get_positional() ? option.get_type_name() : option.get_name();
}

/// A number of values that does not fit.
std::string wrong_count(const CLI::Option& option) {
  const std::size_t given = option.count();
  if (!takes_value(option)) return fmt::format("{} takes no value", shown(option));
  if (!option.get_positional())
    return given > 1 ? fmt::format("{} can be given only once", shown(option))
                     : fmt::format("{} needs a value: {} {}", shown(option), shown(option), option.get_type_name());
  const auto most = static_cast<std::size_t>(option.get_items_expected_max());
  const auto least = static_cast<std::size_t>(option.get_items_expected_min());
  const bool too_many = given > most;
  return fmt::format("{} wanted at {}, as '{}', but {} given",
                     counted(too_many ? most : least, "argument is", "arguments are"), too_many ? "most" : "least",
                     shown(option), given == 1 ? "1 is" : fmt::format("{} are", given));
}

std::string wrong_value(const CLI::Option& option) {
  if (!takes_value(option)) return fmt::format("{} takes no value", shown(option));
  const std::vector<std::string> values = option.results();
  return fmt::format("{}: '{}' is not a number", shown(option), values.empty() ? "" : values.back());
}

/// The parser's messages begin with the name of the option, or have it behind "Could not convert: ".
const CLI::Option* option_of(const std::string& message, const CLI::App& at) {
  const CLI::Option* found = nullptr;
  std::size_t begin = std::string::npos;
  for (const CLI::Option* option : at.get_options()) {
    const std::size_t place = message.find(option->get_name());
    if (place < begin || (place == begin && found != nullptr && place != std::string::npos &&
                          option->get_name().size() > found->get_name().size())) {
      found = option;
      begin = place;
    }
  }
  return found;
}

}  // namespace

std::string unknown_command(const CLI::App& at) {
  if (at.get_require_subcommand_min() == 0) return {};
  for (const std::string& argument : at.remaining())
    if (!argument.starts_with('-')) return unknown("command", argument, command_names(at));
  return {};
}

std::string parse_reason(const CLI::ParseError& error, const CLI::App& at) {
  const bool wants_command = at.get_require_subcommand_min() > 0;
  const std::vector<std::string> extras = at.remaining();
  const auto first = std::find_if(extras.begin(), extras.end(), [&](const std::string& argument) {
    return wants_command || argument.starts_with('-');
  });
  if (first != extras.end()) {
    const std::string word = first->substr(0, first->find('='));
    return word.starts_with('-') ? unknown("option", word, option_names(at))
                                 : unknown("command", word, command_names(at));
  }
  if (wants_command) return "a command is missing";
  if (!extras.empty()) return fmt::format("unexpected argument '{}'", extras.front());
  const std::string message = error.what();
  const CLI::Option* option = option_of(message, at);
  if (option != nullptr && dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return wrong_count(*option);
  if (option != nullptr && dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return wrong_value(*option);
  if (option != nullptr && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return option->get_items_expected_min() > 1 ? wrong_count(*option)
                                                : fmt::format("{} is required", option->get_name());
  // What a check of an option says is ours, and so is "x excludes y".
  return message;
}

}  // namespace wordbridge::cli
