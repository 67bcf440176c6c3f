#include "cli/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/suggestion.h"
#include "base/version.h"
#include "cli/help.h"
#include "cli/options/arguments.h"
#include "cli/session.h"
#include "linalg/blas.h"
#include "parallel/context.h"
#include "parallel/thread_pool.h"
#include "search/kernels/kernel_choice.h"

namespace wordbridge::cli {

namespace {

/// What the groups of commands are for.
const std::map<std::string, std::string, std::less<>> kGroups = {
    {"evaluate", "Measure how good vectors and mappings are"},
};

std::string version_text() {
  return fmt::format("wordbridge {}\nkernel {}, BLAS core {}, {} threads", version(), kernel_name(), blas_core_name(),
                     ThreadPool::current().size());
}

void print_error(const std::string& line) {
  std::fflush(stdout);
  Session::print_message("wordbridge: " + line);
}

/// The parser with all commands in it.
class Program {
 public:
  Program() : app_("Puts word vectors of different languages into one space", "wordbridge") {
    app_.require_subcommand(1);
    app_.footer(
        "Files of vectors: fastText and word2vec text, GloVe, word2vec binary, fastText models, NumPy, .wbvec; '-' is\n"
        "standard input. Exit codes: 0 success, 1 the work failed, 2 wrong usage.\n"
        "'wordbridge COMMAND --help' explains a command and shows examples.");
    style(app_);
    for (const CommandEntry& entry : all_commands()) add(entry);
  }

  ExitCode run(int argc, const char* const* argv) {
    try {
      parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return end_of_parsing(error);
    }
    return run(parsed());
  }

 private:
  struct Added {
    CLI::App* app;
    std::unique_ptr<Command> command;
  };

  void parse(int argc, const char* const* argv) {
    const std::vector<std::string> arguments = Arguments::shielded(argc, argv);
    std::vector<const char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
    app_.parse(static_cast<int>(pointers.size()), pointers.data());
  }

  Command& parsed() const {
    for (const Added& added : commands_)
      if (added.app->parsed()) return *added.command;
    throw UsageError("no command given; see 'wordbridge --help'");
  }

  void add(const CommandEntry& entry) {
    CLI::App* parent = &app_;
    std::string_view name = entry.name;
    if (const std::size_t blank = name.find(' '); blank != std::string_view::npos) {
      parent = group(std::string(name.substr(0, blank)));
      name.remove_prefix(blank + 1);
    }
    CLI::App* app = parent->add_subcommand(std::string(name), std::string(entry.summary));
    Added& added = commands_.emplace_back(Added{app, entry.make()});
    Arguments arguments(*app);
    added.command->declare(arguments);
    app->footer(fmt::format("Examples:\n{}", entry.examples));
    style(*app);
  }

  CLI::App* group(const std::string& name) {
    CLI::App*& app = groups_[name];
    if (app != nullptr) return app;
    app = app_.add_subcommand(name, kGroups.at(name));
    app->require_subcommand(1);
    app->footer(fmt::format("'wordbridge {} COMMAND --help' explains a command and shows examples.", name));
    style(*app);
    return app;
  }

  /// What all levels share: the options that go everywhere, and the looks of the help.
  void style(CLI::App& app) {
    app.set_help_flag("-h,--help", "Print this help and exit")->group("Everywhere");
    app.set_version_flag("--version", version_text, "Print the version and exit")->group("Everywhere");
    Arguments arguments(app);
    arguments.heading("Everywhere");
    arguments.flag("-q,--quiet", globals_.quiet, "No progress and no notes; warnings and errors stay");
    arguments.number("--threads", globals_.threads, 0, 1024, "Number of threads (default: all cores)");
    arguments.number("--seed", globals_.seed, 0, UINT64_MAX, "Seed of everything random (default: 1)");
    app.formatter_fn(
        [](const CLI::App* shown, const std::string& name, CLI::AppFormatMode) { return help_text(*shown, name); });
  }

  ExitCode run(Command& command) {
    static_cast<void>(kernels());  // a wrong WORDBRIDGE_KERNEL is told before any file is read
    Session session(globals_);
    const Context::Scope scope(session.context());
    const ExitCode code = command.run(session);
    session.flush();
    return code;
  }

  /// The deepest command that the command line names.
  const CLI::App& named() const {
    const CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return *app;
  }

  ExitCode end_of_parsing(const CLI::ParseError& error) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {  // help or version
      app_.exit(error);
      if (!std::cout.flush()) throw InputError("standard output", 0, "cannot write");
      return ExitCode::success;
    }
    const CLI::App& at = named();
    std::string path = "wordbridge";
    for (const CLI::App* app = &app_; app != &at;) {
      app = app->get_subcommands().front();
      path += " " + app->get_name();
    }
    throw UsageError(Arguments::unshielded(fmt::format("{}; see '{} --help'", reason(error, at), path)));
  }

  static std::string reason(const CLI::ParseError& error, const CLI::App& at) {
    const bool wants_command = at.get_require_subcommand_min() > 0;
    const std::vector<std::string> extras = at.remaining();
    const auto unknown = std::find_if(extras.begin(), extras.end(), [&](const std::string& argument) {
      return wants_command || argument.starts_with('-');
    });
    if (unknown != extras.end()) {
      const bool is_option = unknown->starts_with('-');
      const std::string word = unknown->substr(0, unknown->find('='));
      const std::string near = closest(word, is_option ? option_names(at) : command_names(at));
      return fmt::format("unknown {} '{}'{}", is_option ? "option" : "command", word,
                         near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near));
    }
    if (wants_command) return "a command is missing";
    if (!extras.empty()) return fmt::format("unexpected argument '{}'", extras.front());
    return error.what();
  }

  static std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
  }

  static std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
  }

  CLI::App app_;
  GlobalOptions globals_;
  std::map<std::string, CLI::App*> groups_;
  std::vector<Added> commands_;
};

}  // namespace

ExitCode run_program(int argc, const char* const* argv) {
  try {
    return Program().run(argc, argv);
  } catch (const UsageError& error) {
    print_error(error.what());
    return ExitCode::usage;
  } catch (const Error& error) {
    print_error(error.what());
  } catch (const std::bad_alloc&) {
    print_error("out of memory");
  } catch (const std::exception& error) {
    print_error(fmt::format("internal error: {}", error.what()));
  }
  return ExitCode::failure;
}

}  // namespace wordbridge::cli
