#include "cli/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/json.h"
#include "base/option_error.h"
#include "base/wording.h"
#include "cli/communicator.h"
#include "cli/help.h"
#include "cli/options/arguments.h"
#include "cli/session.h"
#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "search/kernels/kernel_choice.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge::cli {

namespace {

/// What the groups of commands are for.
const std::map<std::string, std::string, std::less<>> kGroups = {
    {"evaluate", "Measure how good vectors and mappings are"},
};

/// The commands whose work several processes share.
constexpr std::array<std::string_view, 4> kShared = {"hub", "align", "evaluate translation", "induce"};

std::string version_text() {
  return fmt::format("wordbridge {}\nkernel {}, BLAS core {}, {}", version(), kernel_name(), blas_core_name(),
                     counted(static_cast<std::uint64_t>(ThreadPool::current().size()), "thread"));
}

/// What all processes of a job found out is told by the first one alone: it ends the others while they wait.
void print_error(const std::string& line) {
  constexpr auto kPatience = std::chrono::milliseconds(500);
  if (!communicator().is_first()) {
    if (ended_together()) return;
    std::this_thread::sleep_for(kPatience);
  }
  std::fflush(stdout);
  Session::print_message("wordbridge: " + line);
}

/// The parser with all commands in it.
class Program {
 public:
  explicit Program(const std::string& further_help)
      : app_("Puts word vectors of different languages into one space", "wordbridge") {
    app_.require_subcommand(1);
    app_.footer(
        "Files of vectors: fastText and word2vec text, GloVe, word2vec binary, fastText models, NumPy, .wbvec; '-' is\n"
        "standard input. Exit codes: 0 success, 1 the work failed, 2 wrong usage.\n"
        "'wordbridge COMMAND --help' explains a command and shows examples." +
        further_help);
    style(app_);
    for (const CommandEntry& entry : all_commands()) add(entry);
  }

  ExitCode run(int argc, const char* const* argv) {
    try {
      parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      end_together();
      if (!communicator().is_first() && is_answer(error)) return ExitCode::success;
      return end_of_parsing(error);
    }
    return run(parsed());
  }

 private:
  struct Added {
    std::string_view name;
    CLI::App* app;
    std::unique_ptr<Command> command;
  };

  void parse(int argc, const char* const* argv) {
    const std::vector<std::string> arguments = Arguments::shielded(argc, argv);
    std::vector<const char*> pointers;
    pointers.reserve(arguments.size());
    for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
    app_.parse(static_cast<int>(pointers.size()), pointers.data());
  }

  Command& parsed() const {
    for (const Added& added : commands_)
      if (added.app->parsed()) {
        if (works_with_others()) check_together([&] { require_shared(added.name); });
        return *added.command;
      }
    throw UsageError("no command given; see 'wordbridge --help'");
  }

  static void require_shared(std::string_view name) {
    if (std::ranges::count(kShared, name) == 0)
      throw UsageError(
          fmt::format("several processes share the work of {}; {} is for one", fmt::join(kShared, ", "), name));
  }

  void add(const CommandEntry& entry) {
    CLI::App* parent = &app_;
    std::string_view name = entry.name;
    if (const std::size_t blank = name.find(' '); blank != std::string_view::npos) {
      parent = group(std::string(name.substr(0, blank)));
      name.remove_prefix(blank + 1);
    }
    CLI::App* app = parent->add_subcommand(std::string(name), std::string(entry.summary));
    Added& added = commands_.emplace_back(Added{entry.name, app, entry.make()});
    Arguments arguments(*app);
    added.command->declare(arguments);
    app->footer(fmt::format("Examples:\n{}", entry.examples));
    style(*app);
    if (entry.topics != nullptr)
      app->formatter_fn([topics = entry.topics()](const CLI::App* shown, const std::string& called,
                                                  CLI::AppFormatMode) { return help_text(*shown, called, topics); });
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
    app.set_help_flag("-h,--help", "Print this help and exit")->group(Arguments::kEverywhere);
    app.set_version_flag("--version", version_text, "Print the version and exit")->group(Arguments::kEverywhere);
    Arguments arguments(app);
    arguments.heading(Arguments::kEverywhere);
    arguments.flag("-q,--quiet", globals_.quiet, "No progress and no notes; warnings and errors stay");
    arguments.number("--threads", globals_.threads, 0, 1024, "Number of threads (default: all cores)");
    arguments.number("--seed", globals_.seed, 0, UINT64_MAX, "Seed of everything random (default: 1)");
    app.formatter_fn(
        [](const CLI::App* shown, const std::string& name, CLI::AppFormatMode) { return help_text(*shown, name); });
  }

  ExitCode run(Command& command) {
    static_cast<void>(kernels());  // a wrong WORDBRIDGE_KERNEL is told before any file is read
    globals_.is_mute = !communicator().is_first();
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

  /// Help or version.
  static bool is_answer(const CLI::ParseError& error) {
    return error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
  }

  ExitCode end_of_parsing(const CLI::ParseError& error) {
    const CLI::App& at = named();
    const std::string unknown = unknown_command(at);
    if (is_answer(error) && unknown.empty()) {
      app_.exit(error);
      if (!std::cout.flush()) throw InputError("standard output", 0, "cannot write");
      return ExitCode::success;
    }
    std::string path = "wordbridge";
    for (const CLI::App* app = &app_; app != &at;) {
      app = app->get_subcommands().front();
      path += " " + app->get_name();
    }
    throw UsageError(Arguments::unshielded(
        fmt::format("{}; see '{} --help'", is_answer(error) ? unknown : parse_reason(error, at), path)));
  }

  CLI::App app_;
  GlobalOptions globals_;
  std::map<std::string, CLI::App*> groups_;
  std::vector<Added> commands_;
};

}  // namespace

ExitCode run_program(int argc, const char* const* argv, const std::string& further_help) {
  try {
    return Program(further_help).run(argc, argv);
  } catch (const UsageError& error) {
    print_error(command_line_text(error));
    return ExitCode::usage;
  } catch (const Error& error) {
    print_error(error.what());
  } catch (const std::bad_alloc&) {
    print_error("out of memory");
  } catch (const std::filesystem::filesystem_error& error) {
    print_error(fmt::format("{}: {}", error.path1().string(), system_reason(error.code().value())));
  } catch (const std::system_error& error) {
    print_error(fmt::format("the system refused: {}", system_reason(error.code().value())));
  } catch (const JsonError&) {
    print_error("a file with JSON in it (a checkpoint, a kept result) is not as it was written; remove it");
  } catch (const std::exception& error) {
    print_error(fmt::format("internal error: {}", error.what()));
  }
  return ExitCode::failure;
}

}  // namespace wordbridge::cli
