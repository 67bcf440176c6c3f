#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/session.h"

namespace wordbridge::cli {

namespace {

/// Finds the command that is being typed, then offers its options, the values of options that have a fixed set of
/// them, or the names of commands; files are the shell's own default.
constexpr const char* kBashScript =
    R"(# bash completion for wordbridge; to load it: source <(wordbridge completion bash)
_wordbridge() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command= commands= options= values=
  local i
  if [[ $current == = ]]; then current=; fi
  if [[ $previous == = ]]; then previous=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${{COMP_WORDS[i]}}" in
{paths}    esac
  done
  case $command in
{commands}  esac
  case "$command $previous" in
{values}  esac
  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  fi
}}
complete -o default -F _wordbridge wordbridge
)";

/// The tables that the script holds, gathered from the parser, so that they are never out of date.
struct BashTables {
  std::string paths, commands, values;

  void add(const CLI::App& app, const std::string& path) {
    std::vector<std::string> names, options;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(command->get_name());
      const std::string below = path + " " + command->get_name();
      paths += fmt::format("      \"{}\") command=\"{}\" ;;\n", below, below);
      add(*command, below);
    }
    for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
      const auto choices = Arguments::choices_of(*option);
      if (option->get_positional()) names.insert(names.end(), choices.begin(), choices.end());
      for (const std::string& name : option->get_lnames()) {
        options.push_back("--" + name);
        if (!choices.empty())
          values += fmt::format("    \"{} --{}\") values=\"{}\" ;;\n", path, name, fmt::join(choices, " "));
      }
    }
    commands += fmt::format("    \"{}\") commands=\"{}\" options=\"{}\" ;;\n", path, fmt::join(names, " "),
                            fmt::join(options, " "));
  }
};

/// Prints the completion script of a shell.
class CompletionCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    app_ = &arguments.parser();
    arguments.choice("shell", shell_, {"bash"}, "The shell");
  }

  ExitCode run(Session& session) override {
    const CLI::App* root = app_;
    while (root->get_parent() != nullptr) root = root->get_parent();
    BashTables tables;
    tables.add(*root, "");
    session.print(fmt::format(kBashScript, fmt::arg("paths", tables.paths), fmt::arg("commands", tables.commands),
                              fmt::arg("values", tables.values)));
    return ExitCode::success;
  }

 private:
  const CLI::App* app_ = nullptr;
  std::string shell_;
};

}  // namespace

CommandEntry completion_command() {
  return {"completion", "Print the completion script of a shell",
          "  source <(wordbridge completion bash)\n"
          "  wordbridge completion bash > ~/.local/share/bash-completion/completions/wordbridge",
          make_command<CompletionCommand>};
}

}  // namespace wordbridge::cli
