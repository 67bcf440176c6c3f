#include "cli/commands/command.h"
#include "cli/derived_mapping.h"
#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "cli/session.h"
#include "mapping/mapping_format.h"

namespace wordbridge::cli {

namespace {

/// Turns a mapping around.
class InvertCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.file("mapping", mapping_, "The mapping to turn around");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The mapping to write (.wbmap)", Arguments::Need::required);
  }

  ExitCode run(Session& session) override {
    require_mapping_name(output_);
    refuse_overwriting(output_, std::vector<std::string>{mapping_});
    write_derived(session, invert(read_mapping(mapping_)), output_);
    return ExitCode::success;
  }

 private:
  std::string mapping_, output_;
};

}  // namespace

CommandEntry invert_command() {
  return {"invert", "Turn a mapping around: from the target language to the source language",
          "  wordbridge invert en-es.wbmap -o es-en.wbmap\n"
          "A rotation loses nothing; for any other map a warning says how much cosines change. Maps that move both\n"
          "languages only change their sides.",
          make_command<InvertCommand>};
}

}  // namespace wordbridge::cli
