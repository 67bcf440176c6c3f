#include "cli/measures.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/wording.h"
#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "cli/report/evaluation_report.h"
#include "evaluation/sharded_word_translation.h"
#include "evaluation/statistics.h"
#include "evaluation/word_groups.h"
#include "retrieval/criterion_registry.h"
#include "wordbridge/criterion.h"

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
  const auto criterion = make_criterion(retrieval.criterion(), space, {.neighbors = retrieval.neighbors()});
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

namespace {

std::string analogy_note(const Analogies& result, const std::string& method) {
  const Analogies::Score total = result.total();
  return fmt::format(
      "{} among {}; accuracy in % of the {} covered questions, then of all {}{}\n", method,
      counted(result.words, "word"), total.covered, total.questions,
      result.case_matched == 0 ? "" : fmt::format("; {} with words found in another case", result.case_matched));
}

}  // namespace

void AnalogyMeasure::declare(Arguments& arguments) {
  arguments.heading("Questions");
  arguments.choice("--method", method, {"3cosadd", "3cosmul"}, "How answers are chosen (default: 3cosadd)");
  arguments.number("--vocabulary-limit", limit, 0, UINT64_MAX,
                   "Questions and answers among the first N words, 0 for all (default: all that are read)");
}

AnalogyQuestions AnalogyMeasure::read(Session& session, bool lenient) const {
  AnalogyQuestions questions;
  for (const std::string& file : files) {
    AnalogyQuestions more = read_analogy_questions(file, lenient);
    session.note(
        fmt::format("{}: {} in {}", file, counted(more.size(), "question"), counted(more.sections.size(), "section")));
    if (more.skipped_lines > 0)
      session.warn(fmt::format("{} skipped, first: {}", counted(more.skipped_lines, "line"), more.first_skipped));
    questions.append(std::move(more));
  }
  return questions;
}

void AnalogyMeasure::run(Session& session, const AnalogyQuestions& questions, const std::vector<NamedSpace>& spaces,
                         const TableFormat& format, std::optional<AtomicFile>& details) const {
  const AnalogyOptions options = {.method = method == "3cosmul" ? AnalogyMethod::cos_mul : AnalogyMethod::cos_add,
                                  .max_words = limit,
                                  .case_policy = parse_case_policy(case_policy)};
  std::vector<AnalogiesInSpace> results;
  for (const auto& [name, space] : spaces) {
    const Stopwatch stopwatch;
    results.push_back({name, evaluate_analogies(questions, space, options)});
    session.note(fmt::format("{}: {} answered ({})", name, counted(results.back().result.total().covered, "question"),
                             stopwatch.to_text()));
  }
  if (details) {
    details->write(to_tsv(results, questions, spaces.front().space.vocabulary(Side::source)));
    details->commit();
  }
  session.print(format.json() ? to_json(results, options.method)
                              : format.render(to_table(results), analogy_note(results.front().result, method)));
}

namespace {

/// What is behind the numbers.
std::string similarity_note(const std::vector<SimilarityOfSet>& sets) {
  std::size_t pairs = 0, found = 0, case_matched = 0, averaged = 0;
  for (const SimilarityOfSet& set : sets) {
    const Similarity& result = set.results.front().result;
    pairs += result.pairs;
    found += result.found;
    case_matched += result.case_matched;
    averaged += result.averaged;
  }
  std::string text = fmt::format("correlations over the {} of {} that were found", found, counted(pairs, "pair"));
  if (case_matched > 0) text += fmt::format(", {} of them in another case", case_matched);
  if (averaged > 0) text += fmt::format(", {} with a phrase averaged", averaged);
  return text + '\n';
}

}  // namespace

void SimilarityMeasure::declare(Arguments& arguments) {
  arguments.heading("Pairs");
  arguments.flag("--average-phrases", average_phrases,
                 "Take the mean of its words for a phrase outside the vocabulary");
}

std::vector<SimilarityPairs> SimilarityMeasure::read(Session& session, bool lenient) const {
  std::vector<SimilarityPairs> sets;
  for (const std::string& file : files) {
    sets.push_back(read_similarity_pairs(file, lenient));
    if (sets.back().skipped_lines > 0)
      session.warn(
          fmt::format("{} skipped, first: {}", counted(sets.back().skipped_lines, "line"), sets.back().first_skipped));
  }
  return sets;
}

void SimilarityMeasure::run(Session& session, const std::vector<SimilarityPairs>& sets,
                            const std::vector<NamedSpace>& spaces, Side second, const TableFormat& format) const {
  const SimilarityOptions options = {.case_policy = parse_case_policy(case_policy), .average_phrases = average_phrases};
  std::vector<SimilarityOfSet> results;
  for (const SimilarityPairs& pairs : sets) {
    SimilarityOfSet& set = results.emplace_back(SimilarityOfSet{file_name(pairs.path), {}});
    for (const auto& [name, space] : spaces)
      set.results.push_back({name, evaluate_similarity(pairs, space, second, options)});
  }
  session.print(format.json() ? to_json(results) : format.render(to_table(results), similarity_note(results)));
}

void HubnessMeasure::declare(Arguments& arguments) {
  arguments.heading("Hubs");
  arguments.number("--hubs", hubs, 0, 1 << 20, "How many of the largest hubs to name (default: 10)");
  arguments.number("--queries", queries, 0, UINT64_MAX, "Ask only the first N source words (default: all)");
}

void HubnessMeasure::run(Session& session, const CommonSpace& space, const TableFormat& format) const {
  std::vector<std::string> criteria = {"nn"};
  if (criterion != "nn") criteria.push_back(criterion);
  std::vector<Hubness> results;
  for (const std::string& name : criteria) {
    const Stopwatch stopwatch;
    const auto ranking = make_criterion(name, space, {.neighbors = neighbors});
    results.push_back(evaluate_hubness(*ranking, space, {.k = neighbors, .hubs = hubs, .max_words = queries}));
    session.note(
        fmt::format("{}: {} asked ({})", name, counted(results.back().queries, "source word"), stopwatch.to_text()));
  }
  const Vocabulary &source = space.vocabulary(Side::source), &target = space.vocabulary(Side::target);
  if (format.json()) {
    session.print(to_json(results, source, target));
    return;
  }
  session.print(format.render(to_table(results), fmt::format("N_{0}: how many source words have a target among "
                                                             "their {0} best; skewness and largest are of it\n",
                                                             neighbors)));
  for (const Hubness& result : results)
    if (!result.hubs.empty()) session.print("\n" + format.render(hubs_table(result, source, target)));
}

}  // namespace wordbridge::cli
