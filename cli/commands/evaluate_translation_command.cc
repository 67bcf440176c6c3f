#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "cli/commands/command.h"
#include "cli/communicator.h"
#include "cli/mapped_vectors.h"
#include "cli/measures.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/options/retrieval_options.h"
#include "cli/paths.h"
#include "cli/report/word_translation_report.h"
#include "retrieval/criterion_registry.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// Precision of word translation on a test lexicon.
class EvaluateTranslationCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    format_.declare(arguments);
    arguments.text("--details", details_, "FILE", "Write what became of each source word (tab-separated)");
    measure_.lexicon.declare(arguments, LexiconOptions::Sources::file);
    retrieval_.declare(arguments);
    measure_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    if (works_with_others()) check_together([&] { require_shardable(); });
    std::vector<std::string> further = measure_.others();
    further.push_back(measure_.lexicon.path());
    std::vector<std::string> inputs = inputs_.paths();
    inputs.insert(inputs.end(), further.begin(), further.end());
    refuse_overwriting(details_, inputs);
    std::optional<AtomicFile> details;
    if (!details_.empty() && !session.options().is_mute) details.emplace(details_);
    const Mapping mapping = inputs_.open(further);
    measure_.open(inputs_);
    const std::vector<RetrievalOptions> retrievals = settled(mapping);

    if (works_with_others()) check_together([&] { require_sharded_criterion(retrievals.front().criterion()); });
    const std::vector<MeasuredTranslation> results = works_with_others()
                                                         ? measure_sharded(session, mapping, retrievals.front())
                                                         : measure(session, mapping, retrievals);
    if (details) {
      details->write(to_tsv(results.front().result));
      details->commit();
    }
    measure_.print(session, results, format_);
    return ExitCode::success;
  }

 private:
  /// What several processes can do together, as far as the command line tells.
  void require_shardable() {
    inputs_.require_shardable();
    if (!measure_.others().empty())
      throw UsageError("--compare is for one process: evaluate one mapping after the other");
    if (!retrieval_.criterion().empty()) require_sharded_criterion(retrieval_.criterion());
  }

  std::vector<MeasuredTranslation> measure_sharded(Session& session, const Mapping& mapping,
                                                   const RetrievalOptions& retrieval) {
    const auto space = inputs_.load_sharded(session, mapping);
    const GoldLexicon gold = measure_.gold(session, space->vocabulary(Side::source), space->vocabulary(Side::target));
    return {measure_.first(session, inputs_.paths().front(), *space, gold, retrieval)};
  }

  /// Each mapping is ranked by its own criterion where none is asked for.
  std::vector<RetrievalOptions> settled(const Mapping& mapping) const {
    std::vector<RetrievalOptions> retrievals(1 + measure_.other_mappings().size(), retrieval_);
    for (std::size_t i = 0; i < retrievals.size(); ++i)
      retrievals[i].settle(i == 0 ? mapping : measure_.other_mappings()[i - 1]);
    return retrievals;
  }

  std::vector<MeasuredTranslation> measure(Session& session, const Mapping& mapping,
                                           const std::vector<RetrievalOptions>& retrievals) {
    if (inputs_.is_prepared()) {
      const CommonSpace space = inputs_.load(session, mapping);
      const GoldLexicon gold = measure_.gold(session, space.vocabulary(Side::source), space.vocabulary(Side::target));
      return {measure_.first(session, inputs_.paths().front(), space, gold, retrievals.front())};
    }
    MappedInputs::Vectors vectors = inputs_.read(session, mapping);
    const GoldLexicon gold = measure_.gold(session, vectors.source.vocabulary(), vectors.target.vocabulary());
    const std::vector<Mapping>& others = measure_.other_mappings();
    for (const Mapping& other : others) inputs_.check(session, other, vectors);
    std::vector<MeasuredTranslation> results;
    for (std::size_t i = 0; i <= others.size(); ++i) {
      const Mapping& one = i == 0 ? mapping : others[i - 1];
      const CommonSpace space = inputs_.space(one, i == others.size() ? std::exchange(vectors, {}) : vectors);
      if (i == 0)
        results.push_back(measure_.first(session, inputs_.paths().front(), space, gold, retrievals[i]));
      else
        results.push_back(
            measure_.another(session, measure_.others()[i - 1], space, gold, retrievals[i], results.front().result));
    }
    return results;
  }

  MappedInputs inputs_;
  TranslationMeasure measure_;
  RetrievalOptions retrieval_;
  TableFormat format_;
  std::string details_;
};

}  // namespace

CommandEntry evaluate_translation_command() {
  return {"evaluate translation", "Precision of word translation on a test lexicon",
          "  wordbridge evaluate translation en-es.wbmap en.vec es.vec --lexicon test.txt\n"
          "  wordbridge evaluate translation en-es.wbmap en.vec es.vec --lexicon test.txt --criterion nn --json\n"
          "  wordbridge evaluate translation m.wbmap en.vec es.vec --lexicon test.txt --criterion isf --beta 20\n"
          "  wordbridge evaluate translation a.wbmap en.vec es.vec --lexicon test.txt --compare b.wbmap c.wbmap\n"
          "  wordbridge evaluate translation en.aligned.vec es.aligned.vec --lexicon test.txt --details words.tsv",
          make_command<EvaluateTranslationCommand>};
}

}  // namespace wordbridge::cli
