#include "cli/commands/command.h"
#include "cli/derived_mapping.h"
#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "cli/session.h"
#include "mapping/mapping_format.h"

namespace wordbridge::cli {

namespace {

/// Joins two mappings by the language that they share.
class ComposeCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.file("first", first_, "A mapping from language A to language B");
    arguments.file("second", second_, "A mapping from language B to language C");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The mapping to write (.wbmap), from A to C",
                   Arguments::Need::required);
  }

  ExitCode run(Session& session) override {
    require_mapping_name(output_);
    refuse_overwriting(output_, std::vector<std::string>{first_, second_});
    require_one_standard_input({first_, second_});
    const Mapping first = read_mapping(first_), second = read_mapping(second_);
    write_derived(session, compose(first, second), output_);
    return ExitCode::success;
  }

 private:
  std::string first_, second_, output_;
};

}  // namespace

CommandEntry compose_command() {
  return {"compose", "Join two mappings by the language that they share",
          "  wordbridge compose fr-en.wbmap en-es.wbmap -o fr-es.wbmap\n"
          "The language in between must be the same: the same vectors and the same normalization.",
          make_command<ComposeCommand>};
}

}  // namespace wordbridge::cli
