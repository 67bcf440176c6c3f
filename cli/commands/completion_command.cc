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

/// The same for zsh; it may be sourced, or put as `_wordbridge` into a folder of $fpath.
constexpr const char* kZshScript =
    R"(#compdef wordbridge
# zsh completion for wordbridge; to load it: source <(wordbridge completion zsh)
_wordbridge() {{
  local current=${{words[CURRENT]}} previous=${{words[CURRENT-1]}} command= commands= options= values=
  local -i i
  for ((i = 2; i < CURRENT; i++)); do
    case "$command ${{words[i]}}" in
{paths}    esac
  done
  case $command in
{commands}  esac
  case "$command $previous" in
{values}  esac
  if [[ -n $values ]]; then
    compadd -- ${{=values}}
  elif [[ $current == -* ]]; then
    compadd -- ${{=options}}
  else
    [[ -n $commands ]] && compadd -- ${{=commands}}
    _files
  fi
}}
if [[ ${{funcstack[1]}} == _wordbridge ]]; then
  _wordbridge "$@"
else
  compdef _wordbridge wordbridge
fi
)";

/// For fish: a function that finds the command that is being typed, and a line for everything that may follow it.
constexpr const char* kFishScript =
    R"(# fish completion for wordbridge; to load it: wordbridge completion fish | source
function __wordbridge_command
  set -l command ''
  for word in (commandline -opc)[2..-1]
    switch "$command $word"
{paths}    end
  end
  echo "$command"
end
{lines})";

std::string fish_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "'";
}

/// The paths of commands, and a `complete` for each command, option and set of values.
struct FishTables {
  std::string paths, lines;

  void add(const CLI::App& app, const std::string& path) {
    const std::string start = fmt::format("complete -c wordbridge -n {}",
                                          fish_quoted(fmt::format("test (__wordbridge_command) = \"{}\"", path)));
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
      const std::string below = path + " " + command->get_name();
      paths += fmt::format("      case {}\n        set command {}\n", fish_quoted(below), fish_quoted(below));
      lines += fmt::format("{} -f -a {} -d {}\n", start, command->get_name(), fish_quoted(command->get_description()));
      add(*command, below);
    }
    for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
      const auto choices = Arguments::choices_of(*option);
      const std::string values =
          choices.empty() ? "" : fmt::format(" -a {}", fish_quoted(fmt::format("{}", fmt::join(choices, " "))));
      if (option->get_positional()) {
        if (!choices.empty()) lines += fmt::format("{} -f{}\n", start, values);
        continue;
      }
      std::string line = start;
      for (const std::string& name : option->get_snames()) line += " -s " + name;
      for (const std::string& name : option->get_lnames()) line += " -l " + name;
      const bool takes_value = option->get_items_expected_max() > 0 && !option->get_type_name().empty();
      line += !choices.empty() ? " -x" + values : takes_value ? " -r" : "";
      lines += fmt::format("{} -d {}\n", line, fish_quoted(option->get_description()));
    }
  }
};

/// The tables that the script holds, gathered from the parser, so that they are never out of date.
struct CaseTables {
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
    arguments.choice("shell", shell_, {"bash", "zsh", "fish"}, "The shell");
  }

  ExitCode run(Session& session) override {
    const CLI::App* root = app_;
    while (root->get_parent() != nullptr) root = root->get_parent();
    if (shell_ == "fish") {
      FishTables tables;
      tables.add(*root, "");
      session.print(fmt::format(kFishScript, fmt::arg("paths", tables.paths), fmt::arg("lines", tables.lines)));
      return ExitCode::success;
    }
    CaseTables tables;
    tables.add(*root, "");
    session.print(fmt::format(fmt::runtime(shell_ == "zsh" ? kZshScript : kBashScript), fmt::arg("paths", tables.paths),
                              fmt::arg("commands", tables.commands), fmt::arg("values", tables.values)));
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
          "  wordbridge completion bash > ~/.local/share/bash-completion/completions/wordbridge\n"
          "  source <(wordbridge completion zsh)\n"
          "  wordbridge completion fish > ~/.config/fish/completions/wordbridge.fish",
          make_command<CompletionCommand>};
}

}  // namespace wordbridge::cli
