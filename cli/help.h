#pragma once
#include <span>
#include <string>

#include "cli/commands/command.h"

namespace CLI {
class App;
}
namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace wordbridge::cli {

/// What --help prints. `name` is how the command is called: "wordbridge align". With topics, it is the one that stands
/// among the arguments (or "all"), else the first.
std::string help_text(const CLI::App& app, const std::string& name, std::span<const HelpTopic> topics = {});

/// Why the parser refused the command line, in the words of this program. `at` is the deepest command that was named.
std::string parse_reason(const CLI::ParseError& error, const CLI::App& at);

/// The argument that stands where a command is expected, and is none: "unknown command 'x' (did you mean 'y'?)"; empty
/// where there is none.
std::string unknown_command(const CLI::App& at);

}  // namespace wordbridge::cli
