#include <optional>

#include "base/atomic_file.h"
#include "cli/commands/command.h"
#include "cli/evaluated_spaces.h"
#include "cli/measures.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/paths.h"

namespace wordbridge::cli {

namespace {

/// Analogies answered by vectors as they are and as a mapping makes them.
class EvaluateAnalogyCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments);
    arguments.list("questions", measure_.files, 1, Arguments::kMostFiles, "questions...",
                   "Files of questions: Google's format, or tab-separated");
    measure_.declare(arguments);
    arguments.choice("--case", measure_.case_policy, {"exact", "lower", "title"},
                     "What to try for words not found as written (default: lower)");
    format_.declare(arguments);
    arguments.text("--details", details_, "FILE", "Write the answer to each question (tab-separated)");
  }

  ExitCode run(Session& session) override {
    std::vector<std::string> all = inputs_.paths();
    all.insert(all.end(), measure_.files.begin(), measure_.files.end());
    refuse_overwriting(details_, all);
    std::optional<AtomicFile> details;
    if (!details_.empty()) details.emplace(details_);
    inputs_.open();
    const AnalogyQuestions questions = measure_.read(session, inputs_.options().lenient);
    measure_.run(session, questions, inputs_.load(session), format_, details);
    return ExitCode::success;
  }

 private:
  SpaceInputs inputs_;
  AnalogyMeasure measure_;
  TableFormat format_;
  std::string details_;
};

}  // namespace

CommandEntry evaluate_analogy_command() {
  return {"evaluate analogy", "Analogies answered by vectors as they are and as a mapping makes them",
          "  wordbridge evaluate analogy en.vec questions-words.txt\n"
          "  wordbridge evaluate analogy en.vec questions-words.txt --mapping en-es.wbmap\n"
          "  wordbridge evaluate analogy de.vec semantic.tsv syntactic.tsv --mapping en-de.wbmap --side target --json",
          make_command<EvaluateAnalogyCommand>};
}

}  // namespace wordbridge::cli
