#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wordbridge::cli {

class Arguments;
class Session;

/// How the program ends. A UsageError ends it with `usage`, any other error with `failure`.
enum class ExitCode { success = 0, failure = 1, usage = 2 };

/// One command of the program: what follows its name, and what it does.
class Command {
 public:
  virtual ~Command() = default;
  /// Declares what follows its name; the variables are filled in when run() is called.
  virtual void declare(Arguments& arguments) = 0;
  virtual ExitCode run(Session& session) = 0;
};

/// A part of a long help: 'wordbridge align --help rcsls'.
struct HelpTopic {
  std::string name;                   // "rcsls"; empty: what --help shows alone
  std::string text;                   // what it is, a line
  std::vector<std::string> headings;  // of the options to show
};

struct CommandEntry {
  std::string_view name;      // "align"; a command within a group has the group's name first: "evaluate translation"
  std::string_view summary;   // one line for the list of commands
  std::string_view examples;  // indented lines below the options in --help, with what else must be said
  std::unique_ptr<Command> (*make)();
  /// Where there are too many options for a screen; the first topic has no name.
  std::vector<HelpTopic> (*topics)() = nullptr;
};

/// For CommandEntry::make.
template <class T>
std::unique_ptr<Command> make_command() {
  return std::make_unique<T>();
}

/// Every command, in the order in which --help lists them; a new one is a line in commands.cc.
std::span<const CommandEntry> all_commands();

}  // namespace wordbridge::cli
