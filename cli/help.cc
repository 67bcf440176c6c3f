#include "cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <vector>

#include "base/wording.h"

namespace wordbridge::cli {

namespace {

constexpr std::size_t kColumn = 32;      // where descriptions begin
constexpr std::size_t kLineWidth = 100;  // of all lines

/// Lines of at most kLineWidth - kColumn characters, broken at blanks; the letters are ASCII.
std::vector<std::string> wrapped(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const std::string& word : CLI::detail::split(text, ' ')) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > kLineWidth - kColumn) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

/// `left` and, from the column on, the description; below it where `left` is too long.
std::string entry(const std::string& left, const std::string& description) {
  const std::string lines = fmt::format("{}\n", fmt::join(wrapped(description), "\n" + std::string(kColumn, ' ')));
  if (left.size() + 4 > kColumn) return fmt::format("  {}\n{}{}", left, std::string(kColumn, ' '), lines);
  return fmt::format("  {:<{}}{}", left, kColumn - 2, lines);
}

/// How an argument is called in the usage line; lists say it themselves, by their kind.
std::string argument_name(const CLI::Option& option) {
  const bool is_list = option.get_items_expected_max() > 1;
  return is_list ? option.get_type_name() : option.get_single_name();
}

std::string option_left(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  const bool takes_value = option.get_items_expected_max() > 0 && !option.get_type_name().empty();
  // Of a long list of words the description tells.
  constexpr std::size_t kLongest = 90;
  const std::string kind = option.get_type_name().size() > kLongest ? "NAME" : option.get_type_name();
  return fmt::format("{}{}", fmt::join(names, ", "), takes_value ? " " + kind : "");
}

/// Headings in the order of declaration, but those that most commands share at the end.
std::vector<std::string> headings(const CLI::App& app) {
  std::vector<std::string> titles;
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional() && std::find(titles.begin(), titles.end(), option->get_group()) == titles.end())
      titles.push_back(option->get_group());
  const auto shared = [](const std::string& title) { return title == "Everywhere" ? 2 : title == "Vectors" ? 1 : 0; };
  std::stable_sort(titles.begin(), titles.end(),
                   [&](const std::string& a, const std::string& b) { return shared(a) < shared(b); });
  return titles;
}

/// The commands below, those within groups too.
std::string list_of_commands(const CLI::App& app, const std::string& path) {
  std::string text;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string name = path + command->get_name();
    const std::string below = list_of_commands(*command, name + " ");
    text += below.empty() ? entry(name, command->get_description()) : below;
  }
  return text;
}

/// The topic that an argument names; nullptr for all.
const HelpTopic* chosen_topic(const CLI::App& app, std::span<const HelpTopic> topics) {
  if (topics.empty()) return nullptr;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    for (const std::string& word : option->results()) {
      if (word == "all") return nullptr;
      const auto found = std::ranges::find(topics, word, &HelpTopic::name);
      if (found != topics.end() && !word.empty()) return &*found;
    }
  }
  return &topics.front();
}

std::string options_text(const CLI::App& app, const HelpTopic* topic) {
  std::string text;
  for (const std::string& title : headings(app)) {
    if (topic != nullptr && std::ranges::find(topic->headings, title) == topic->headings.end()) continue;
    text += fmt::format("\n{}:\n", title);
    for (const CLI::Option* option : app.get_options())
      if (option->nonpositional() && option->get_group() == title)
        text += entry(option_left(*option), option->get_description() + (option->get_required() ? " (required)" : ""));
  }
  return text;
}

/// How to see what is not shown.
std::string more_text(const std::string& name, std::span<const HelpTopic> topics) {
  std::vector<std::string> names;
  for (const HelpTopic& topic : topics)
    if (!topic.name.empty()) names.push_back(topic.name);
  return fmt::format("\nMore:\n{}{}", entry(name + " --help TOPIC", fmt::format("One of: {}", fmt::join(names, ", "))),
                     entry(name + " --help all", "All options"));
}

}  // namespace

std::string help_text(const CLI::App& app, const std::string& name, std::span<const HelpTopic> topics) {
  const HelpTopic* topic = chosen_topic(app, topics);
  if (topic != nullptr && !topic->name.empty()) {
    const std::string options = options_text(app, topic);
    return fmt::format("{}: {}.\n{}\n", topic->name, topic->text,
                       options.empty() ? "\nIt has no options of its own.\n" : options);
  }
  const std::string commands = list_of_commands(app, "");
  std::string usage = fmt::format("Usage: {} [options]{}", name, commands.empty() ? "" : " COMMAND");
  std::string arguments;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    usage += " " + argument_name(*option);
    arguments += entry(argument_name(*option), option->get_description());
  }
  return fmt::format("{}\n\n{}.\n{}{}{}{}\n{}\n", usage, app.get_description(),
                     commands.empty() ? "" : fmt::format("\nCommands:\n{}", commands),
                     arguments.empty() ? "" : fmt::format("\nArguments:\n{}", arguments), options_text(app, topic),
                     topic == nullptr ? "" : more_text(name, topics), app.get_footer());
}

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
