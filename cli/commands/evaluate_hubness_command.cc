#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/measures.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "retrieval/criterion_registry.h"

namespace wordbridge::cli {

namespace {

class EvaluateHubnessCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    arguments.heading("Hubs");
    arguments.number("-k,--neighbors", measure_.neighbors, 1, 1 << 20,
                     "Targets that a source word chooses, and neighbors that csls looks at (default: 10)");
    arguments.choice("--criterion", measure_.criterion, vector_criterion_names(),
                     "What to compare nearest neighbors with (default: csls)");
    measure_.declare(arguments);
    format_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    measure_.run(session, inputs_.load(session, inputs_.open()), format_);
    return ExitCode::success;
  }

 private:
  MappedInputs inputs_;
  HubnessMeasure measure_;
  TableFormat format_;
};

}  // namespace

CommandEntry evaluate_hubness_command() {
  return {"evaluate hubness", "How much some target words are near to everything, before and after CSLS",
          "  wordbridge evaluate hubness en-es.wbmap en.vec es.vec\n"
          "  wordbridge evaluate hubness en-es.wbmap en.vec es.vec --queries 10000 --hubs 20 --json\n"
          "  wordbridge evaluate hubness en.aligned.vec es.aligned.vec",
          make_command<EvaluateHubnessCommand>};
}

}  // namespace wordbridge::cli
