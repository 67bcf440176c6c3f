#pragma once
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace wordbridge::cli {

/// Why the parser refused the command line, in the words of this program. `at` is the deepest command that was named.
std::string parse_reason(const CLI::ParseError& error, const CLI::App& at);

/// The argument that stands where a command is wanted, and is none: "unknown command 'x' (did you mean 'y'?)"; empty
/// where there is none.
std::string unknown_command(const CLI::App& at);

}  // namespace wordbridge::cli
