#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "wordbridge/option_info.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace wordbridge::cli {

/// What a command takes, declared piece by piece; the parser fills in the variables before the command runs. A thin
/// layer over CLI11, whose header takes seconds to compile, and the one place that decides how things are declared.
///
/// `names` are as in "-o,--output"; `kind` is what --help calls the value: "FILE", "N". Variables keep what they hold
/// where an option is not given.
class Arguments {
 public:
  enum class Need { optional, required };
  static constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();  // of a number that counts
  static constexpr std::size_t kMostFiles = 1000;
  static constexpr const char* kEverywhere = "Everywhere";  // the heading of what every command takes

  explicit Arguments(CLI::App& app) : app_(app) {}

  /// The title in --help under which options come from here on.
  void heading(std::string title) { heading_ = std::move(title); }

  /// Arguments without a name, taken in the order of declaration.
  void file(const std::string& name, std::string& value, const std::string& description);
  /// `usage` is how --help shows the list: "[words...]". With dashes, an option that takes several values.
  void list(const std::string& name, std::vector<std::string>& values, std::size_t min, std::size_t max,
            const std::string& usage, const std::string& description);

  void text(const std::string& names, std::string& value, const std::string& kind, const std::string& description,
            Need need = Need::optional);
  void number(const std::string& names, std::uint64_t& value, std::uint64_t min, std::uint64_t max,
              const std::string& description);
  void number(const std::string& names, std::optional<std::size_t>& value, const std::string& description);
  void number(const std::string& names, double& value, const std::string& description);
  void number(const std::string& names, std::optional<double>& value, const std::string& description);
  /// Keeps the text as it is given, for somebody else to read; without a kind, a flag, whose text is "true".
  void raw(const std::string& names, std::optional<std::string>& value, const std::string& kind,
           const std::string& description);
  /// An option as the library declares it; `take` gets its text while the command line is read, and may throw.
  void option(const OptionInfo& info, const std::function<void(const std::string& text)>& take);
  void flag(const std::string& names, bool& value, const std::string& description);
  /// One of some words; --help and the shell's completion show them. Without dashes, an argument that must be given.
  void choice(const std::string& names, std::string& value, std::vector<std::string> choices,
              const std::string& description);

  /// The two options cannot be given together.
  void exclude(const std::string& one, const std::string& other);

  CLI::App& parser() const { return app_; }

  /// What the command line gave, without the options that go everywhere and some others ("--slurm"): the same words
  /// again, one option after the other, for a command line that means the same.
  std::vector<std::string> given(const std::vector<std::string>& but) const;

  /// The arguments of the program as its parser must see them to take them as they are: CLI11 would cut "[a,b]" in two,
  /// and stumbles over what follows "--" where that is a list.
  static std::vector<std::string> shielded(int argc, const char* const* argv);
  /// Takes the shields off again, also in messages.
  static std::string unshielded(std::string text);

  /// The words of an option that choice() made; none for any other.
  static std::vector<std::string> choices_of(const CLI::Option& option);

 private:
  CLI::Option& placed(CLI::Option* option, const std::string& kind) const;
  CLI::Option& placed_text(CLI::Option* option, const std::string& kind) const;

  CLI::App& app_;
  std::string heading_ = "Options";
};

}  // namespace wordbridge::cli
