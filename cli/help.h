#pragma once
#include <string>

namespace CLI {
class App;
}

namespace wordbridge::cli {

/// What --help prints. `name` is how the command is called: "wordbridge align".
std::string help_text(const CLI::App& app, const std::string& name);

}  // namespace wordbridge::cli
