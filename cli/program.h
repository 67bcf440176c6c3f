#pragma once
#include "cli/commands/command.h"

namespace wordbridge::cli {

/// Parses the command line, runs the command and turns errors into one line on standard error and an exit code.
ExitCode run_program(int argc, const char* const* argv);

}  // namespace wordbridge::cli
