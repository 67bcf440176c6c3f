#include <fmt/format.h>

#include <optional>

#include "base/atomic_file.h"
#include "base/counted.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/options/lexicon_options.h"
#include "cli/options/retrieval_options.h"
#include "cli/options/table_format.h"
#include "cli/paths.h"
#include "cli/report/word_translation_report.h"
#include "evaluation/frequency_bands.h"
#include "evaluation/paired_bootstrap.h"
#include "evaluation/spelling_groups.h"
#include "lexicon/lexicon_reader.h"
#include "wordbridge/word_translation.h"

namespace wordbridge::cli {

namespace {

/// Precision of word translation on a test lexicon.
class EvaluateTranslationCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    format_.declare(arguments);
    arguments.text("--details", details_, "FILE", "Write what became of each source word (tab-separated)");
    lexicon_.declare(arguments, LexiconOptions::Sources::file);
    arguments.flag("--no-identical", no_identical_, "Leave out pairs whose two words are the same string");
    retrieval_.declare(arguments);
    arguments.heading("Analysis");
    arguments.text("--bands", bounds_, "LIST",
                   "Precision by the frequency rank of the source word, too: bounds joined by commas, as 1000,5000");
    arguments.text("--compare", other_, "FILE",
                   "Another mapping for the same vectors: how much better or worse it is, and how sure that is");
    arguments.number("--samples", bootstrap_.samples, 1, 100'000'000,
                     "Samples of the paired bootstrap of --compare (default: 10000)");
  }

  ExitCode run(Session& session) override {
    std::vector<std::string> inputs = inputs_.paths();
    inputs.insert(inputs.end(), {lexicon_.path(), other_});
    refuse_overwriting(details_, inputs);
    const std::vector<std::size_t> bounds = bounds_.empty() ? std::vector<std::size_t>() : parse_bounds(bounds_);
    std::optional<AtomicFile> details;
    if (!details_.empty()) details.emplace(details_);
    const Mapping mapping = inputs_.open(lexicon_.path());
    RetrievalOptions retrieval = retrieval_, other_retrieval = retrieval_;  // each with the criterion of its mapping
    retrieval.settle(mapping);
    std::optional<Mapping> other;
    if (!other_.empty()) {
      other = inputs_.open_other(other_);
      other_retrieval.settle(*other);
    }
    lexicon_.read(inputs_.options().lenient, no_identical_);

    bootstrap_.seed = session.options().seed;
    std::optional<RerankAnalysis> analysis;
    const WordTranslation result = evaluate(session, mapping, retrieval, &analysis);
    if (details) {
      details->write(to_tsv(result));
      details->commit();
    }
    std::optional<PairedBootstrap> comparison;
    if (other) {
      comparison = compare(result, evaluate(session, *other, other_retrieval, nullptr), bootstrap_);
    }
    print(session, result, by_frequency(result, bounds), comparison, analysis);
    return ExitCode::success;
  }

 private:
  /// `analysis`, where wanted, is filled where there is a re-ranker.
  WordTranslation evaluate(Session& session, const Mapping& mapping, const RetrievalOptions& retrieval,
                           std::optional<RerankAnalysis>* analysis) const {
    const CommonSpace space = inputs_.load(session, mapping);
    const GoldLexicon gold =
        lexicon_.find_gold(session, space.vocabulary(Side::source), space.vocabulary(Side::target));
    const Stopwatch stopwatch;
    const auto criterion = make_criterion(retrieval.criterion(), space, retrieval.options_for(session, space));
    WordTranslation result = evaluate_word_translation(*criterion, space, gold);
    session.note(fmt::format("{}: {} asked ({})", result.criterion, counted(gold.size(), "word"), stopwatch.to_text()));
    if (analysis != nullptr && result.criterion == "rerank") {
      const auto csls = make_criterion("csls", space, retrieval.options_for(session, space));
      *analysis = analyze_reranked(result, evaluate_word_translation(*csls, space, gold), bootstrap_);
    }
    return result;
  }

  void print(Session& session, const WordTranslation& result, const std::vector<FrequencyBand>& bands,
             const std::optional<PairedBootstrap>& comparison, const std::optional<RerankAnalysis>& analysis) const {
    if (format_.json()) {
      session.print(to_json(result, bounds_.empty() ? std::span<const FrequencyBand>() : bands,
                            comparison ? &*comparison : nullptr, analysis ? &*analysis : nullptr));
      return;
    }
    session.print(format_.render(to_table(result), coverage_line(result)));
    if (!bounds_.empty()) session.print("\n" + format_.render(to_table(bands)));
    if (analysis) {
      session.print("\n" + format_.render(to_table(*analysis)));
      session.print("\nagainst csls in the same mapping: " + to_text(analysis->comparison));
    }
    if (comparison) session.print("\n" + to_text(*comparison));
  }

  MappedInputs inputs_;
  LexiconOptions lexicon_;
  RetrievalOptions retrieval_;
  TableFormat format_;
  BootstrapOptions bootstrap_;
  std::string details_, bounds_, other_;
  bool no_identical_ = false;
};

}  // namespace

CommandEntry evaluate_translation_command() {
  return {"evaluate translation", "Precision of word translation on a test lexicon",
          "  wordbridge evaluate translation en-es.wbmap en.vec es.vec --lexicon test.txt\n"
          "  wordbridge evaluate translation en-es.wbmap en.vec es.vec --lexicon test.txt --criterion nn --json\n"
          "  wordbridge evaluate translation m.wbmap en.vec es.vec --lexicon test.txt --criterion isf --beta 20\n"
          "  wordbridge evaluate translation a.wbmap en.vec es.vec --lexicon test.txt --compare b.wbmap\n"
          "  wordbridge evaluate translation en.aligned.vec es.aligned.vec --lexicon test.txt --details words.tsv",
          make_command<EvaluateTranslationCommand>};
}

}  // namespace wordbridge::cli
