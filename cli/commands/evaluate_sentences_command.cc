#include <fmt/format.h>

#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/report/evaluation_report.h"
#include "evaluation/sentence_translation.h"

namespace wordbridge::cli {

namespace {

/// How often the translation of a sentence is the nearest, of sentences that are means of their words' vectors.
class EvaluateSentencesCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    arguments.heading("Sentences");
    arguments.text("--source-text", source_text_, "FILE", "Sentences of the source language, one a line",
                   Arguments::Need::required);
    arguments.text("--target-text", target_text_, "FILE", "Their translations, line by line",
                   Arguments::Need::required);
    arguments.choice(
        "--tokens", tokens_, {"words", "blanks"},
        "How a sentence becomes words: runs of letters and digits, or, for text that is tokenized already, "
        "what stands between blanks (default: words)");
    arguments.number("--candidates", candidates_, 1, Arguments::kMost,
                     "Pairs of sentences among which a translation is looked for (default: 200000)");
    arguments.number("--queries", queries_, 1, Arguments::kMost, "Of them, those that ask (default: 2000)");
    arguments.number("--idf-sentences", idf_sentences_, 0, Arguments::kMost,
                     "Pairs behind the candidates by which words are weighted (default: 300000)");
    arguments.number("-k,--neighbors", neighbors_, 1, 1 << 20, "Neighbors that csls looks at (default: 10)");
    format_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    const Mapping mapping = inputs_.open({source_text_, target_text_});
    const Stopwatch stopwatch;
    const ParallelSentences sentences = read_parallel_sentences(source_text_, target_text_);
    note(session, sentences, stopwatch);
    const CommonSpace space = inputs_.load(session, mapping);
    const SentenceEvaluation evaluation = evaluate_sentences(sentences, space,
                                                             {.candidates = candidates_,
                                                              .queries = queries_,
                                                              .idf_sentences = idf_sentences_,
                                                              .neighbors = neighbors_,
                                                              .tokenization = parse_tokenization(tokens_),
                                                              .seed = session.options().seed});
    if (format_.json())
      session.print(to_json(evaluation) + "\n");
    else
      session.print(format_.render(to_table(evaluation), remark_of(evaluation, tokens_)));
    return ExitCode::success;
  }

 private:
  static void note(Session& session, const ParallelSentences& sentences, const Stopwatch& stopwatch) {
    std::string line = counted(sentences.size(), "pair") + " of sentences";
    if (sentences.empty > 0) line += fmt::format(", {} set aside for an empty line", sentences.empty);
    if (sentences.repeated > 0) line += fmt::format(", {} for a sentence that came before", sentences.repeated);
    session.note(fmt::format("{} ({})", line, stopwatch.to_text()));
  }

  MappedInputs inputs_;
  TableFormat format_;
  std::string source_text_, target_text_, tokens_ = "words";
  std::uint64_t candidates_ = 200'000, queries_ = 2'000, idf_sentences_ = 300'000, neighbors_ = 10;
};

}  // namespace

CommandEntry evaluate_sentences_command() {
  return {
      "evaluate sentences", "How often a sentence finds its translation, by the words' vectors",
      "  wordbridge evaluate sentences en-es.wbmap en.vec es.vec --source-text europarl.en --target-text europarl.es\n"
      "  wordbridge evaluate sentences en.aligned.vec es.aligned.vec --source-text a --target-text b --json\n"
      "A sentence is the mean of its words' vectors, weighted by how rare they are (MUSE's sentence translation).",
      make_command<EvaluateSentencesCommand>};
}

}  // namespace wordbridge::cli
