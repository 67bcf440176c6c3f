#include <fmt/format.h>

#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/lexicon_options.h"
#include "cli/mapped_vectors.h"
#include "cli/paths.h"
#include "cli/retrieval_options.h"
#include "wordbridge/base/atomic_file.h"
#include "wordbridge/evaluation/word_translation.h"
#include "wordbridge/evaluation/word_translation_report.h"

namespace wordbridge::cli {

namespace {

/// Precision of word translation on a test lexicon.
class EvaluateTranslationCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    arguments.heading("Output");
    arguments.flag("--json", json_, "Print JSON");
    arguments.flag("--markdown", markdown_, "Print a Markdown table");
    arguments.exclude("--json", "--markdown");
    arguments.text("--details", details_, "FILE", "Write what became of each source word (tab-separated)");
    lexicon_.declare(arguments, LexiconOptions::Sources::file);
    arguments.flag("--no-identical", no_identical_, "Leave out pairs whose two words are the same string");
    retrieval_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    std::vector<std::string> inputs = inputs_.paths();
    inputs.push_back(lexicon_.path());
    refuse_overwriting(details_, inputs);
    std::optional<AtomicFile> details;
    if (!details_.empty()) details.emplace(details_);
    Mapping mapping = inputs_.open(lexicon_.path());
    retrieval_.settle(mapping);
    lexicon_.read(inputs_.options().lenient, no_identical_);
    MappedVectors vectors = inputs_.load(session, std::move(mapping));
    const GoldLexicon gold = lexicon_.find_gold(session, vectors.source.vocabulary(), vectors.target.vocabulary());

    const Stopwatch stopwatch;
    const auto criterion = make_criterion(retrieval_.criterion(), vectors.source.table(), vectors.target.table(),
                                          retrieval_.options_for(session, vectors.source, vectors.target));
    const WordTranslation result =
        evaluate_word_translation(*criterion, vectors.source.table(), vectors.target.vocabulary(), gold);
    session.note(fmt::format("{}: {} words asked ({})", result.criterion, gold.size(), stopwatch.to_text()));
    if (details) {
      details->write(to_tsv(result));
      details->commit();
    }
    session.print(json_ ? to_json(result) : markdown_ ? to_markdown(result) : to_text(result));
    if (json_) session.print("\n");
    return ExitCode::success;
  }

 private:
  MappedInputs inputs_;
  LexiconOptions lexicon_;
  RetrievalOptions retrieval_;
  std::string details_;
  bool no_identical_ = false, json_ = false, markdown_ = false;
};

}  // namespace

CommandEntry evaluate_translation_command() {
  return {"evaluate translation", "Precision of word translation on a test lexicon",
          "  wordbridge evaluate translation en-es.wbmap en.vec es.vec --lexicon test.txt\n"
          "  wordbridge evaluate translation en-es.wbmap en.vec es.vec --lexicon test.txt --criterion nn --json\n"
          "  wordbridge evaluate translation m.wbmap en.vec es.vec --lexicon test.txt --criterion isf --beta 20\n"
          "  wordbridge evaluate translation en.aligned.vec es.aligned.vec --lexicon test.txt --details words.tsv",
          make_command<EvaluateTranslationCommand>};
}

}  // namespace wordbridge::cli
