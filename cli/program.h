#pragma once
#include <string>

#include "cli/commands/command.h"

namespace wordbridge::cli {

/// Parses the command line, runs the command and turns errors into one line on standard error and an exit code.
/// `further_help` stands at the end of --help.
ExitCode run_program(int argc, const char* const* argv, const std::string& further_help = {});

}  // namespace wordbridge::cli
