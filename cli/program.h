#pragma once
#include <string>
#include <vector>

#include "cli/commands/command.h"

namespace wordbridge::cli {

/// Parses the command line, runs the command and turns errors into one line on standard error and an exit code.
ExitCode run_program(int argc, const char* const* argv);

/// Runs another command within one, by its command line without the program's name; it talks through `session`, whose
/// seed holds. Throws where the command fails: UsageError for wrong arguments.
void run_command(const std::vector<std::string>& arguments, Session& session);

}  // namespace wordbridge::cli
