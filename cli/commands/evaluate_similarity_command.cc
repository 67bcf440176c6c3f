#include "cli/commands/command.h"
#include "cli/evaluated_spaces.h"
#include "cli/measures.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"

namespace wordbridge::cli {

namespace {

/// Agreement of cosines with what people say, within a language or between two.
class EvaluateSimilarityCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments);
    arguments.list("sets", measure_.files, 1, Arguments::kMostFiles, "sets...", "Files of pairs of words with scores");
    arguments.heading("Pairs");
    arguments.text("--target", target_.path, "FILE",
                   "Vectors of the language of the second words, for sets of pairs between two languages");
    target_.declare_vocabulary(arguments, "the target", "--target-vocabulary");
    measure_.declare(arguments);
    arguments.choice("--case", measure_.case_policy, {"exact", "lower", "title"},
                     "What to try for words not found as written (default: lower)");
    format_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    inputs_.open(target_);
    const std::vector<SimilarityPairs> sets = measure_.read(session, inputs_.options().lenient);
    measure_.run(session, sets, inputs_.load(session, target_), target_.path.empty() ? Side::source : Side::target,
                 format_);
    return ExitCode::success;
  }

 private:
  SpaceInputs inputs_;
  VectorFile target_;
  SimilarityMeasure measure_;
  TableFormat format_;
};

}  // namespace

CommandEntry evaluate_similarity_command() {
  return {"evaluate similarity", "Agreement of cosines with what people say, before and after a mapping",
          "  wordbridge evaluate similarity en.vec wordsim353.tsv simlex999.txt --mapping en-es.wbmap\n"
          "  wordbridge evaluate similarity en.vec en-es.test.data.txt --target es.vec --mapping en-es.wbmap\n"
          "  wordbridge evaluate similarity en.aligned.vec en-es.tsv --target es.aligned.vec --average-phrases",
          make_command<EvaluateSimilarityCommand>};
}

}  // namespace wordbridge::cli
