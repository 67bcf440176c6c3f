#include "evaluation.h"

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/option_text.h"
#include "cli/paths.h"
#include "cli/report/drift_report.h"
#include "cli/report/evaluation_report.h"
#include "cli/report/mapping_page.h"
#include "cli/report/word_translation_report.h"
#include "evaluation/analogy.h"
#include "evaluation/drift.h"
#include "evaluation/entry_scores.h"
#include "evaluation/sentence_translation.h"
#include "evaluation/similarity.h"
#include "evaluation/statistics.h"
#include "evaluation/word_groups.h"
#include "lexicon.h"
#include "lexicon/lexicon_reader.h"
#include "lexicon/word_lookup.h"
#include "run.h"
#include "space.h"
#include "text.h"
#include "wordbridge/error.h"
#include "wordbridge/hubness.h"
#include "wordbridge/word_translation.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

/// A test lexicon: a file, pairs of words, or a lexicon that was looked up.
struct GoldSource {
  std::optional<Path> path;
  std::optional<std::vector<WrittenPair>> pairs;
  std::shared_ptr<FoundLexicon> lexicon;
};

GoldLexicon find_gold(const GoldSource& gold, const LexiconSettings& settings, const CommonSpace& space) {
  const Vocabulary &source = space.vocabulary(Side::source), &target = space.vocabulary(Side::target);
  if (gold.lexicon) {
    require_words(*gold.lexicon, source, target);
    return GoldLexicon(gold.lexicon->lexicon, source, target);
  }
  const WordPairs pairs = gold.path ? read_pairs(gold.path->bytes, settings) : to_word_pairs(*gold.pairs, settings);
  return GoldLexicon(pairs, source, target, settings.case_policy(), settings.lexicon_checks());
}

/// What a test found, with what it is compared with: by CSLS, where a re-ranker ranked.
struct Measured {
  MeasuredTranslation by_criterion;
  std::optional<WordTranslation> by_csls;
  std::uint64_t seed = 1;  // of the comparison

  void analyze() {
    if (by_csls) by_criterion.analysis = analyze_reranked(by_criterion.result, *by_csls, {.seed = seed});
  }
};
using MeasuredPointer = std::shared_ptr<Measured>;

MeasuredPointer evaluate_translation(const Run& run, const Space& space, const std::optional<Path>& path,
                                     const std::optional<std::vector<WrittenPair>>& pairs,
                                     const std::shared_ptr<FoundLexicon>& lexicon, const LexiconSettings& settings,
                                     const Retrieval& retrieval) {
  return run([&] {
    const GoldLexicon gold = find_gold({path, pairs, lexicon}, settings, space.space());
    const auto measure = [&](Retrieval by) {
      // The criterion of a translator is kept, and some are costly.
      const auto translator = space.translator(by, run.seed(), CasePolicy::title, true, Side::source);
      return evaluate_word_translation(translator->criterion(), space.space(), gold);
    };
    auto measured = std::make_shared<Measured>(Measured{{.mapping = {}, .result = measure(retrieval)}, {}, run.seed()});
    if (measured->by_criterion.result.criterion == "rerank") {
      Retrieval csls = retrieval;
      csls.criterion = "csls";
      measured->by_csls = measure(csls);
      measured->analyze();
    }
    return measured;
  });
}

std::vector<Text> to_texts(const std::vector<std::string>& words) {
  std::vector<Text> texts;
  for (const std::string& word : words) texts.push_back({word});
  return texts;
}

std::vector<std::string> to_strings(const std::vector<Text>& texts) {
  std::vector<std::string> words;
  for (const Text& text : texts) words.push_back(text.bytes);
  return words;
}

/// word, covered, rank, gold, predictions, scores, id, p_translation
using WordRow = std::tuple<Text, bool, std::size_t, std::vector<Text>, std::vector<Text>, std::vector<double>,
                           std::optional<WordId>, std::vector<double>>;

std::vector<WordRow> word_rows(const WordTranslation& result) {
  std::vector<WordRow> rows;
  for (const WordTranslation::Word& word : result.words)
    rows.emplace_back(Text{word.word}, word.covered, word.rank, to_texts(word.gold), to_texts(word.predictions),
                      word.scores, word.id, word.p_translation);
  return rows;
}

/// What a pickle holds: criterion, coverage, words, and where a re-ranker ranked the words by CSLS; the seed; the
/// scores of entries as JSON, or nothing.
using PickledMeasure =
    std::tuple<Text, py::dict, std::vector<WordRow>, std::optional<std::vector<WordRow>>, std::uint64_t, std::string>;

PickledMeasure pickled_measure(const Measured& measured) {
  const WordTranslation& result = measured.by_criterion.result;
  std::optional<std::vector<WordRow>> csls;
  if (measured.by_csls) csls = word_rows(*measured.by_csls);
  return {Text{result.criterion}, to_dict(result.coverage),
          word_rows(result),      std::move(csls),
          measured.seed,          result.entries ? to_json(*result.entries) : ""};
}

WordTranslation restored(const std::string& criterion, const py::dict& coverage, const std::vector<WordRow>& rows) {
  WordTranslation result;
  result.criterion = criterion;
  result.coverage = to_coverage(coverage);
  std::size_t covered_words = 0;
  for (const auto& [word, covered, rank, gold, predictions, scores, id, p_translation] : rows) {
    covered_words += covered;
    result.words.push_back(
        {word.bytes, covered, to_strings(gold), to_strings(predictions), scores, rank, id, p_translation});
  }
  result.all = shares_of(result.words, rows.size());
  result.covered = shares_of(result.words, covered_words);
  return result;
}

MeasuredPointer unpickled_measure(const PickledMeasure& state) {
  const auto& [criterion, coverage, rows, csls, seed, entries] = state;
  auto measured = std::make_shared<Measured>();
  measured->seed = seed;
  measured->by_criterion.result = restored(criterion.bytes, coverage, rows);
  if (!entries.empty()) measured->by_criterion.result.entries = parse_entry_scores(entries);
  if (csls) measured->by_csls = restored("csls", coverage, *csls);
  measured->analyze();
  return measured;
}

py::dict compared(const Run& run, const Measured& first, const Measured& second, std::size_t samples) {
  if (samples == 0) throw UsageError("samples must be 1 or more, not 0");
  const PairedBootstrap result = run([&] {
    return compare(first.by_criterion.result, second.by_criterion.result, {.samples = samples, .seed = run.seed()});
  });
  py::dict dict;
  dict["words"] = result.words;
  dict["first"] = result.first;
  dict["second"] = result.second;
  dict["difference"] = result.difference();
  dict["low"] = result.low;
  dict["high"] = result.high;
  dict["p_value"] = result.p_value;
  dict["only_first"] = result.only_first;
  dict["only_second"] = result.only_second;
  dict["samples"] = result.samples;
  return dict;
}

/// JSON and text of `wordbridge evaluate translation`.
std::pair<Text, Text> translation_report(const Measured& tested, const std::vector<std::size_t>& bounds) {
  const MeasuredTranslation& measured = tested.by_criterion;
  const std::vector<FrequencyBand> bands =
      bounds.empty() ? std::vector<FrequencyBand>() : by_frequency(measured.result, bounds);
  std::string text = to_table(measured.result).to_text() + coverage_line(measured.result);
  if (!bands.empty()) text += "\n" + to_table(bands).to_text();
  if (measured.analysis) text += "\n" + to_table(*measured.analysis).to_text() + comparison_line(*measured.analysis);
  if (const auto& entries = measured.result.entries)
    text += "\n" + to_table(*entries).to_text() + entries_line(*entries);
  if (measured.analysis && measured.analysis->gains_by_spelling_alone())
    text += "all that the re-ranker gains over CSLS is words whose translations are written alike\n";
  return {Text{to_json(std::vector{measured}, bands)}, Text{std::move(text)}};
}

/// The page of `wordbridge report` about the mapping of a space.
Text mapping_report(const Run& run, const Space& space, const Mapping& mapping, const std::optional<Path>& path,
                    const std::optional<std::vector<WrittenPair>>& pairs, const std::shared_ptr<FoundLexicon>& lexicon,
                    const LexiconSettings& settings, const Retrieval& retrieval, std::size_t queries,
                    const std::optional<Path>& output) {
  return run([&] {
    std::optional<AtomicFile> file;
    if (output) file.emplace(output->bytes);
    cli::MappingFindings findings;
    findings.mapping = "mapping";
    findings.lexicon = path ? path->bytes : "";
    findings.provenance = mapping.provenance;
    findings.command = "space.report(...)";
    if (path || pairs || lexicon) {
      const GoldLexicon gold = find_gold({path, pairs, lexicon}, settings, space.space());
      const std::string own = space.criterion_of(retrieval);
      std::vector<std::string> criteria = {"nn", "csls"};
      std::erase(criteria, own);
      criteria.push_back(own);
      for (const std::string& criterion : criteria) {
        Retrieval by = retrieval;
        by.criterion = criterion;
        const auto translator = space.translator(by, run.seed(), CasePolicy::title, true, Side::source);
        findings.measure(space.space(), gold, translator->criterion());
      }
      findings.conclude(space.space(), run.seed());
    }
    findings.measure_hubness(space.space(), queries);
    Text page{cli::mapping_page(findings)};
    if (file) {
      file->write(page.bytes);
      file->commit();
    }
    return page;
  });
}

std::pair<Text, Text> hubness_report(const Run& run, const Space& space, const Retrieval& retrieval, std::size_t hubs,
                                     std::size_t queries) {
  return run([&] {
    std::string criterion = space.criterion_of(retrieval);
    // Hubs are of the vectors: a re-ranker chooses among the candidates of csls.
    if (criterion == "rerank") criterion = "csls";
    std::vector<std::string> names = {"nn"};
    if (criterion != "nn") names.push_back(criterion);
    std::vector<Hubness> results;
    for (const std::string& name : names) {
      const auto ranking = make_criterion(name, space.space(), retrieval.options(run.seed()));
      results.push_back(
          evaluate_hubness(*ranking, space.space(), {.k = retrieval.neighbors, .hubs = hubs, .max_words = queries}));
    }
    const Vocabulary &source = space.space().vocabulary(Side::source), &target = space.space().vocabulary(Side::target);
    return std::pair(Text{to_json(results, source, target)}, Text{to_table(results).to_text()});
  });
}

std::pair<Text, Text> sentence_report(const Run& run, const Space& space, const Path& source, const Path& target,
                                      const Text& tokens, std::size_t candidates, std::size_t queries,
                                      std::size_t idf_sentences, std::size_t neighbors) {
  const SentenceOptions options{.candidates = candidates,
                                .queries = queries,
                                .idf_sentences = idf_sentences,
                                .neighbors = neighbors,
                                .tokenization = parse_tokenization(tokens.bytes),
                                .seed = run.seed()};
  return run([&] {
    const SentenceEvaluation evaluation =
        evaluate_sentences(read_parallel_sentences(source.bytes, target.bytes), space.space(), options);
    return std::pair(Text{to_json(evaluation)},
                     Text{to_table(evaluation).to_text() + remark_of(evaluation, tokens.bytes)});
  });
}

std::pair<Text, Text> drift_report(const Run& run, const WordVectors& older, const WordVectors& newer,
                                   std::size_t count, std::size_t neighbors, std::size_t like_words,
                                   double false_discoveries) {
  return run([&] {
    const Drift drift = find_drift(
        older, newer,
        {.count = count, .neighbors = neighbors, .like_words = like_words, .false_discoveries = false_discoveries});
    return std::pair(Text{to_json(drift)}, Text{to_table(drift).to_text()});
  });
}

/// The spaces that are measured side by side, by name.
using NamedSpaces = std::vector<std::pair<std::string, SpacePointer>>;

std::pair<Text, Text> analogy_report(const Run& run, const NamedSpaces& spaces, const std::vector<Path>& files,
                                     const Text& method, std::size_t limit, const Text& letter_case, bool lenient) {
  if (method.bytes != "3cosadd" && method.bytes != "3cosmul")
    throw UsageError("method " + none_of(method.bytes, {"3cosadd", "3cosmul"}));
  return run([&] {
    AnalogyQuestions questions;
    for (const Path& file : files) questions.append(read_analogy_questions(file.bytes, lenient));
    const AnalogyOptions options = {
        .method = method.bytes == "3cosmul" ? AnalogyMethod::cos_mul : AnalogyMethod::cos_add,
        .max_words = limit,
        .case_policy = parse_case_policy(letter_case.bytes)};
    std::vector<AnalogiesInSpace> results;
    for (const auto& [name, space] : spaces)
      results.push_back({name, evaluate_analogies(questions, space->space(), options)});
    return std::pair(Text{to_json(results, options.method)}, Text{to_table(results).to_text()});
  });
}

std::pair<Text, Text> similarity_report(const Run& run, const NamedSpaces& spaces, const std::vector<Path>& files,
                                        bool across, const Text& letter_case, bool average_phrases, bool lenient) {
  return run([&] {
    const SimilarityOptions options = {.case_policy = parse_case_policy(letter_case.bytes),
                                       .average_phrases = average_phrases};
    std::vector<SimilarityOfSet> results;
    for (const Path& file : files) {
      const SimilarityPairs pairs = read_similarity_pairs(file.bytes, lenient);
      SimilarityOfSet& set = results.emplace_back(SimilarityOfSet{cli::file_name(file.bytes), {}});
      for (const auto& [name, space] : spaces)
        set.results.push_back(
            {name, evaluate_similarity(pairs, space->space(), across ? Side::target : Side::source, options)});
    }
    return std::pair(Text{to_json(results)}, Text{to_table(results).to_text()});
  });
}

}  // namespace

void bind_evaluation(py::module_& module) {
  py::class_<Measured, MeasuredPointer>(module, "Measured")
      .def("words", [](const Measured& measured) { return word_rows(measured.by_criterion.result); })
      .def("pickled", &pickled_measure)
      .def("report", &translation_report)
      .def("to_tsv", [](const Measured& measured) { return Text{to_tsv(measured.by_criterion.result)}; });
  module.def("unpickled_measurement", &unpickled_measure);
  module.def("evaluate", &evaluate_translation);
  module.def("compare", &compared);
  module.def("hubness", &hubness_report);
  module.def("sentences", &sentence_report);
  module.def("drift", &drift_report);
  module.def("report", &mapping_report);
  module.def("analogies", &analogy_report);
  module.def("similarities", &similarity_report);
}

}  // namespace wordbridge::python
