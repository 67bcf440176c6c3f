#include "experiments/experiment_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/escaped_text.h"
#include "base/option_error.h"
#include "experiments/cell_settings.h"
#include "lexicon/lexicon_reader.h"
#include "mapping/mapping_format.h"
#include "wordbridge/context.h"
#include "wordbridge/criterion.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// The criterion that goes with the mapping.
constexpr std::string_view kOwnCriterion = "own";

constexpr std::size_t kHubnessQueries = 10'000;

/// The record of that key, else the one that `make` writes. What comes back was read from a text in either case: a
/// measurement is the same whether it is found or made.
template <class Record, class Make>
Record cached(ResultCache& cache, const std::map<std::string, std::string>& parts,
              std::optional<Record> (*parse)(std::string_view), const Make& make,
              const std::type_identity_t<std::function<bool(const Record&)>>& is_complete = {}) {
  const std::string key = ResultCache::key_of(parts);
  if (const auto known = cache.find(key))
    if (std::optional<Record> record = parse(*known); record && (!is_complete || is_complete(*record)))
      return std::move(*record);
  const std::string text = make();
  cache.store(key, text);
  return parse(text).value();
}

/// The pairs themselves, whatever files they came from.
std::string digest_of(const SimilarityPairs& pairs) {
  std::string text;
  for (const SimilarityPairs::Pair& pair : pairs.pairs)
    text += fmt::format("{}\t{}\t{}\n", escape_field(pair.first), escape_field(pair.second), pair.score);
  return ResultCache::key_of({{"pairs", text}});
}

}  // namespace

CellMeasurer::CellMeasurer(const DataFiles& files, ResultCache& cache, bool hubness, ExperimentObserver& observer)
    : files_(files),
      cache_(cache),
      wants_hubness_(hubness),
      loaded_(observer),
      maker_(files, cache, loaded_, observer) {}

Measurement CellMeasurer::measure(const std::string& measure, const CellSettings& settings, const std::string& cell) {
  if (measure == "translation") return translation(settings, cell);
  if (measure == "analogy") return analogy(settings);
  if (measure == "similarity") return similarity(settings);
  throw UsageError(fmt::format("there is no measure '{}'", measure));
}

LoadedVectors::Parts CellMeasurer::parts_of_space(const CellSettings& settings, const CachedMapping& mapping) const {
  return {settings.file("source_vectors", files_), settings.file("target_vectors", files_), settings.max_words(),
          mapping.key, mapping.path};
}

Measurement CellMeasurer::translation(const CellSettings& settings, const std::string& cell) {
  const std::string source = settings.file("source_vectors", files_), target = settings.file("target_vectors", files_);
  const std::string test = reversed_if_asked(settings, settings.file("test", files_), cache_);
  const CachedMapping mapping = maker_.mapping_for(settings);
  const std::string criterion = settings.text("criterion", "csls");
  const std::size_t neighbors = settings.count("neighbors", 10);
  const bool no_identical = settings.is_true("no_identical");
  const KeyParts parts = {{"measure", "translation"},
                          {"mapping", mapping.key},
                          {"source", cache_.digest(source)},
                          {"target", cache_.digest(target)},
                          {"max_words", settings.text("max_words")},
                          {"test", cache_.digest(test)},
                          {"criterion", criterion},
                          {"neighbors", std::to_string(neighbors)},
                          {"no_identical", no_identical ? "yes" : "no"}};
  const std::string score = settings.text("score", "p@1");
  // A record of another version may lack entries: then it is measured again.
  const auto is_complete = [&](const TranslationRecord& known) { return score == "p@1" || known.entries.has_value(); };
  const auto make = [&] {
    const CommonSpace space = loaded_.space(parts_of_space(settings, mapping));
    const GoldLexicon gold = read_gold_lexicon(test, space.vocabulary(Side::source), space.vocabulary(Side::target),
                                               {.drop_identical = no_identical});
    const std::string& name = criterion == kOwnCriterion ? space.criterion() : criterion;
    return to_record(evaluate_word_translation(*make_criterion(name, space, {.neighbors = neighbors}), space, gold));
  };
  const TranslationRecord record = cached(cache_, parts, parse_translation_record, make, is_complete);
  if (neighbors == 10 && !no_identical) note(settings, mapping, cell, record);
  return {record.score(score), fmt::format("{} of {} source words", record.covered, record.words)};
}

void CellMeasurer::note(const CellSettings& settings, const CachedMapping& mapping, const std::string& cell,
                        const TranslationRecord& record) {
  if (mapping.key.empty()) return;
  auto known = std::ranges::find(mappings_, mapping.key, &MeasuredMapping::key);
  if (known == mappings_.end()) {
    mappings_.push_back({cell, mapping.key, read_mapping(mapping.path).provenance, {}, {}});
    known = mappings_.end() - 1;
    if (wants_hubness_) known->hubness = hubness(settings, mapping);
  }
  known->translations[settings.text("criterion", "csls")] = record;
}

std::vector<HubnessRecord> CellMeasurer::hubness(const CellSettings& settings, const CachedMapping& mapping) {
  const KeyParts parts = {{"measure", "hubness"},
                          {"mapping", mapping.key},
                          {"max_words", settings.text("max_words")},
                          {"source", cache_.digest(settings.file("source_vectors", files_))},
                          {"target", cache_.digest(settings.file("target_vectors", files_))}};
  return cached(cache_, parts, parse_hubness_record, [&] {
    const CommonSpace space = loaded_.space(parts_of_space(settings, mapping));
    std::vector<Hubness> results;
    for (const char* criterion : {"nn", "csls"})
      results.push_back(
          evaluate_hubness(*make_criterion(criterion, space), space, {.hubs = 5, .max_words = kHubnessQueries}));
    return to_record(results, space.vocabulary(Side::source), space.vocabulary(Side::target));
  });
}

Measurement CellMeasurer::analogy(const CellSettings& settings) {
  const std::string source = settings.file("source_vectors", files_);
  std::vector<std::string> questions;
  for (const std::string& name : settings.words("questions")) questions.push_back(files_.find(name));
  const bool aligned = settings.text("space", "original") == "aligned";
  const CachedMapping mapping = aligned ? maker_.mapping_for(settings) : CachedMapping();
  KeyParts parts = {{"measure", "analogy"},
                    {"mapping", mapping.key},
                    {"source", cache_.digest(source)},
                    {"max_words", settings.text("max_words")}};
  for (std::size_t i = 0; i < questions.size(); ++i)
    parts[fmt::format("questions {}", i)] = cache_.digest(questions[i]);
  const AnalogyRecord record = cached(cache_, parts, parse_analogy_record, [&] {
    AnalogyQuestions all;
    for (const std::string& path : questions) all.append(read_analogy_questions(path));
    return to_record(
        evaluate_analogies(all, loaded_.space_of_one({source, "", settings.max_words(), mapping.key, mapping.path})));
  });
  const std::string name = settings.text("part", "total");
  const AnalogyRecord::Part& part = record.part(name);
  if (part.covered == 0) throw Error(fmt::format("no question of the kind '{}' is covered", name));
  return {part.accuracy, fmt::format("{} of {} questions", part.covered, part.questions)};
}

Measurement CellMeasurer::similarity(const CellSettings& settings) {
  const std::string source = settings.file("source_vectors", files_);
  const SimilarityPairs pairs = read_similarity_pairs(settings.file("set", files_));
  const bool two = settings.is_true("cross_lingual"), aligned = two || settings.text("space") == "aligned";
  const CachedMapping mapping = aligned ? maker_.mapping_for(settings) : CachedMapping();
  const SimilarityOptions options = {.average_phrases = settings.is_true("average_phrases")};
  const KeyParts parts = {{"measure", "similarity"},
                          {"mapping", mapping.key},
                          {"source", cache_.digest(source)},
                          {"target", two ? cache_.digest(settings.file("target_vectors", files_)) : ""},
                          {"max_words", settings.text("max_words")},
                          {"set", digest_of(pairs)},
                          {"average_phrases", options.average_phrases ? "yes" : "no"}};
  const SimilarityRecord record = cached(cache_, parts, parse_similarity_record, [&] {
    const CommonSpace space = two ? loaded_.space(parts_of_space(settings, mapping))
                                  : loaded_.space_of_one({source, "", settings.max_words(), mapping.key, mapping.path});
    return to_record(evaluate_similarity(pairs, space, two ? Side::target : Side::source, options));
  });
  const std::optional<double> value = record.correlation(settings.text("correlation", "spearman"));
  if (!value) throw Error("too few pairs are found for a correlation");
  return {*value * static_cast<double>(settings.count("scale", 1)),
          fmt::format("{} of {} pairs", record.found, record.pairs)};
}

namespace {

struct Task {
  std::size_t row, column;
  CellSettings settings;
  std::string order;  // tasks over the same vectors follow each other
};

std::vector<Task> tasks_of(const Experiment& experiment) {
  std::vector<Task> tasks;
  for (std::size_t row = 0; row < experiment.rows.size(); ++row)
    for (std::size_t column = 0; column < experiment.columns.size(); ++column)
      for (ExperimentSettings& values : experiment.cell(row, column)) {
        CellSettings settings(std::move(values));
        std::string order = settings.text("source_vectors") + " " + settings.text("source") + " " +
                            settings.text("target") + " " + settings.text("align");
        tasks.push_back({row, column, std::move(settings), std::move(order)});
      }
  std::ranges::stable_sort(tasks, {}, &Task::order);
  return tasks;
}

/// A running mean, in the order of the measurements.
void add(const Measurement& measurement, ExperimentResult::Cell& cell) {
  cell.value = (cell.value.value_or(0) * static_cast<double>(cell.measured) + measurement.value) /
               static_cast<double>(cell.measured + 1);
  ++cell.measured;
  cell.coverage =
      cell.wanted == 1 ? measurement.coverage : fmt::format("{} of {} measurements", cell.measured, cell.wanted);
}

}  // namespace

ExperimentRunner::ExperimentRunner(const DataFiles& files, ResultCache& cache, const ExperimentOptions& options)
    : observer_(options.observer != nullptr ? *options.observer : silent_),
      measurer_(files, cache, options.hubness, observer_) {}

ExperimentResult ExperimentRunner::run(const Experiment& experiment) {
  const std::vector<Task> tasks = tasks_of(experiment);
  ExperimentResult result;
  result.experiment = experiment;
  result.cells.assign(experiment.rows.size(), std::vector<ExperimentResult::Cell>(experiment.columns.size()));
  for (const Task& task : tasks) ++result.cells[task.row][task.column].wanted;

  Stage stage(experiment.name);
  std::map<std::string, std::string> reasons;  // with the missing file
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    const std::string& row = experiment.rows[task.row].name;
    const std::string& column = experiment.columns[task.column].name;
    const std::string cell = fmt::format("{}, {}", row, column);
    stage.update(i, tasks.size(), cell);
    try {
      const Measurement measurement =
          measurer_.measure(experiment.measure, task.settings, fmt::format("{}: {}", experiment.name, cell));
      add(measurement, result.cells[task.row][task.column]);
      observer_.measured(experiment, row, column, measurement.value);
    } catch (const MissingFile& missing) {
      reasons.emplace(missing.what(), missing.file());
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& error) {
      reasons.emplace(fmt::format("{}: {}", cell, command_line_text(error)), "");
    }
  }
  for (const auto& [text, file] : reasons) result.reasons.push_back({text, file});
  result.mappings = measurer_.take_mappings();
  return result;
}

ExperimentResult run_experiment(const Experiment& experiment, const DataFiles& files, ResultCache& cache,
                                const ExperimentOptions& options) {
  return ExperimentRunner(files, cache, options).run(experiment);
}

}  // namespace wordbridge
