#pragma once
#include <span>
#include <string>

#include "cli/commands/command.h"

namespace CLI {
class App;
}

namespace wordbridge::cli {

/// What --help prints. `name` is how the command is called: "wordbridge align". With topics, it is the one that stands
/// among the arguments (or "all"), else the first.
std::string help_text(const CLI::App& app, const std::string& name, std::span<const HelpTopic> topics = {});

}  // namespace wordbridge::cli
