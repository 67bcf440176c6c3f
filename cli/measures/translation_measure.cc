#include "cli/measures/translation_measure.h"

#include <fmt/format.h>

#include <utility>

#include "base/wording.h"
#include "cli/options/arguments.h"
#include "evaluation/sharded_word_translation.h"
#include "evaluation/statistics.h"
#include "evaluation/word_groups.h"
#include "retrieval/sharded_criteria.h"

namespace wordbridge::cli {

void TranslationMeasure::declare(Arguments& arguments) {
  arguments.heading("Lexicon");
  arguments.flag("--no-identical", no_identical_, "Leave out pairs whose two words are the same string");
  arguments.heading("Analysis");
  arguments.text("--bands", bounds_text_, "LIST",
                 "Precision by the frequency rank of the source word, too: bounds joined by commas, as 1000,5000");
  arguments.number("--precision", entries_.precision,
                   "With a re-ranker: entries are so precise as to name this share right, from 0 to 1 (default: what "
                   "makes F1 largest)");
  arguments.number("--recall", entries_.recall, "With a re-ranker: entries name this share of all translations");
  arguments.exclude("--precision", "--recall");
  arguments.list("--compare", others_, 1, Arguments::kMostFiles, "FILE...",
                 "Other mappings for the same vectors: how much better or worse each is, and how sure that is");
  arguments.number("--samples", samples_, 1, 100'000'000,
                   "Samples of the paired bootstrap of --compare (default: 10000)");
}

void TranslationMeasure::open(const MappedInputs& inputs) {
  if (!bounds_text_.empty()) bounds_ = parse_bounds(bounds_text_);
  for (const std::string& path : others_) other_mappings_.push_back(inputs.open_other(path));
  lexicon.read(inputs.options().lenient, no_identical_);
}

GoldLexicon TranslationMeasure::gold(Session& session, const Vocabulary& source, const Vocabulary& target) const {
  return lexicon.find_gold(session, source, target);
}

WordTranslation TranslationMeasure::measure(Session& session, const CommonSpace& space, const GoldLexicon& gold,
                                            const RetrievalOptions& retrieval) const {
  const Stopwatch stopwatch;
  const auto criterion = make_criterion(retrieval.criterion(), space, retrieval.options_for(session, space));
  WordTranslation result = evaluate_word_translation(*criterion, space, gold, Side::source, entries_);
  session.note(fmt::format("{}: {} asked ({})", result.criterion, counted(gold.size(), "word"), stopwatch.to_text()));
  return result;
}

BootstrapOptions TranslationMeasure::bootstrap(const Session& session) const {
  return {.samples = samples_, .seed = session.options().seed};
}

MeasuredTranslation TranslationMeasure::first(Session& session, const std::string& mapping, const CommonSpace& space,
                                              const GoldLexicon& gold, const RetrievalOptions& retrieval) const {
  MeasuredTranslation measured{mapping, measure(session, space, gold, retrieval)};
  if (measured.result.criterion == "rerank") {
    const auto csls = make_criterion("csls", space, retrieval.options_for(session, space));
    measured.analysis =
        analyze_reranked(measured.result, evaluate_word_translation(*csls, space, gold), bootstrap(session));
    if (measured.analysis->gains_by_spelling_alone())
      session.warn(
          "all that the re-ranker gains over CSLS is words whose translations are written alike; --no-identical leaves "
          "out equal strings");
  }
  return measured;
}

MeasuredTranslation TranslationMeasure::first(Session& session, const std::string& mapping, const ShardedSpace& space,
                                              const GoldLexicon& gold, const RetrievalOptions& retrieval) const {
  const Stopwatch stopwatch;
  const auto criterion = make_sharded_criterion(retrieval.criterion(), space, {.neighbors = retrieval.neighbors()});
  WordTranslation result = evaluate_word_translation(*criterion, space, gold);
  session.note(fmt::format("{}: {} asked ({})", result.criterion, counted(gold.size(), "word"), stopwatch.to_text()));
  return {mapping, std::move(result)};
}

MeasuredTranslation TranslationMeasure::another(Session& session, const std::string& mapping, const CommonSpace& space,
                                                const GoldLexicon& gold, const RetrievalOptions& retrieval,
                                                const WordTranslation& first) const {
  MeasuredTranslation measured{mapping, measure(session, space, gold, retrieval)};
  measured.difference = compare(first, measured.result, bootstrap(session));
  return measured;
}

void TranslationMeasure::print(Session& session, const std::vector<MeasuredTranslation>& results,
                               const TableFormat& format) const {
  const WordTranslation& first = results.front().result;
  const std::vector<FrequencyBand> bands =
      bounds_.empty() ? std::vector<FrequencyBand>() : by_frequency(first, bounds_);
  if (format.json()) {
    session.print(to_json(results, bands));
    return;
  }
  session.print(format.render(to_table(first), coverage_line(first)));
  if (!bounds_.empty()) session.print("\n" + format.render(to_table(bands)));
  if (const auto& analysis = results.front().analysis)
    session.print("\n" + format.render(to_table(*analysis), comparison_line(*analysis)));
  if (first.entries) session.print("\n" + format.render(to_table(*first.entries), entries_line(*first.entries)));
  if (results.size() > 1) session.print("\n" + format.render(comparison_table(results), comparison_note(results)));
}

}  // namespace wordbridge::cli
