#include "cli/experiment_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/program.h"
#include "cli/vector_options.h"
#include "wordbridge/base/atomic_file.h"
#include "wordbridge/base/escaped_text.h"
#include "wordbridge/evaluation/analogy.h"
#include "wordbridge/evaluation/hubness_report.h"
#include "wordbridge/evaluation/similarity.h"
#include "wordbridge/evaluation/word_translation_report.h"
#include "wordbridge/lexicon/lexicon_reader.h"
#include "wordbridge/lexicon/lexicon_subset.h"
#include "wordbridge/mapping/mapping_format.h"
#include "wordbridge/retrieval/make_criterion.h"
#include "wordbridge/vectors/formats.h"

namespace wordbridge::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTablesKept = 3;       // in memory
constexpr std::size_t kConfidentWords = 12;  // named in the report
constexpr std::size_t kHubnessQueries = 10'000;

std::string get(const ExperimentSettings& settings, const std::string& name, const std::string& otherwise = {}) {
  const auto found = settings.find(name);
  return found == settings.end() ? otherwise : found->second;
}

bool is_true(const ExperimentSettings& settings, const std::string& name) { return get(settings, name) == "true"; }

std::size_t count_of(const ExperimentSettings& settings, const std::string& name, std::size_t otherwise) {
  const std::string text = get(settings, name);
  if (text.empty()) return otherwise;
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError(fmt::format("the setting '{}' must be a whole number, not '{}'", name, text));
  return value;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// An experiment names methods and their options; it writes nowhere but in the cache.
void refuse_outputs(const std::string& option) {
  const std::string name = option.substr(0, option.find('='));
  for (const char* output : {"-o", "--output", "--log", "--checkpoint", "--resume", "--json"})
    if (name == output || (name.starts_with("-o") && !name.starts_with("--")))
      throw UsageError(fmt::format("an experiment may not set {}: it writes nothing but its results", name));
}

std::string dump(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace); }

/// The translations with the highest scores, right or wrong.
Json confident(const WordTranslation& result, bool right) {
  std::vector<const WordTranslation::Word*> words;
  for (const WordTranslation::Word& word : result.words)
    if (word.covered && !word.predictions.empty() && (word.rank == 1) == right) words.push_back(&word);
  std::ranges::stable_sort(words, [](const auto* a, const auto* b) { return a->scores.front() > b->scores.front(); });
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(words.size(), kConfidentWords); ++i)
    list.push_back({{"word", words[i]->word},
                    {"translation", words[i]->predictions.front()},
                    {"score", words[i]->scores.front()},
                    {"gold", words[i]->gold}});
  return list;
}

/// The words of one language as a mapping makes them; as they are where there is no mapping.
CommonSpace in_space(const WordVectors& vectors, const std::string& mapping) {
  return mapping.empty() ? CommonSpace::of_one(vectors)
                         : CommonSpace::of_one(read_mapping(mapping), vectors, Side::source);
}

/// The pairs themselves, whatever files they came from.
std::string digest_of(const SimilarityPairs& pairs) {
  std::string text;
  for (const SimilarityPairs::Pair& pair : pairs.pairs)
    text += fmt::format("{}\t{}\t{}\n", escape_field(pair.first), escape_field(pair.second), pair.score);
  return ResultCache::key_of({{"pairs", text}});
}

Json to_json(const Analogies::Score& score) {
  return {{"questions", score.questions}, {"covered", score.covered}, {"accuracy", score.accuracy()}};
}

}  // namespace

ExperimentRunner::ExperimentRunner(Session& session, DataFiles& files, ResultCache& cache, bool hubness)
    : session_(session), files_(files), cache_(cache), wants_hubness_(hubness) {}

ExperimentRunner::~ExperimentRunner() = default;

ExperimentResult ExperimentRunner::run(const Experiment& experiment) {
  struct Task {
    std::size_t row, column;
    ExperimentSettings settings;
    std::string order;  // tasks over the same vectors follow each other
  };
  std::vector<Task> tasks;
  ExperimentResult result;
  result.experiment = experiment;
  result.cells.assign(experiment.rows.size(), std::vector<ExperimentResult::Cell>(experiment.columns.size()));
  for (std::size_t row = 0; row < experiment.rows.size(); ++row)
    for (std::size_t column = 0; column < experiment.columns.size(); ++column)
      for (ExperimentSettings& settings : experiment.cell(row, column)) {
        ++result.cells[row][column].wanted;
        std::string order = get(settings, "source_vectors") + " " + get(settings, "source") + " " +
                            get(settings, "target") + " " + get(settings, "align");
        tasks.push_back({row, column, std::move(settings), std::move(order)});
      }
  std::ranges::stable_sort(tasks, {}, &Task::order);

  std::set<std::string> reasons;
  for (const Task& task : tasks) {
    const std::string& row = experiment.rows[task.row].name;
    const std::string& column = experiment.columns[task.column].name;
    ExperimentResult::Cell& cell = result.cells[task.row][task.column];
    try {
      const Measurement measurement =
          measure(experiment, task.settings, fmt::format("{}: {}, {}", experiment.name, row, column));
      // A running mean, in the order of the tasks.
      cell.value = (cell.value.value_or(0) * static_cast<double>(cell.measured) + measurement.value) /
                   static_cast<double>(cell.measured + 1);
      ++cell.measured;
      cell.coverage =
          cell.wanted == 1 ? measurement.coverage : fmt::format("{} of {} measurements", cell.measured, cell.wanted);
      session_.note(
          fmt::format("{}: {}, {}: {:.{}f}", experiment.name, row, column, measurement.value, experiment.decimals));
    } catch (const MissingFile& missing) {
      reasons.insert(missing.what());
    } catch (const Error& error) {
      reasons.insert(fmt::format("{}, {}: {}", row, column, error.what()));
    }
  }
  result.reasons.assign(reasons.begin(), reasons.end());
  return result;
}

ExperimentRunner::Measurement ExperimentRunner::measure(const Experiment& experiment,
                                                        const ExperimentSettings& settings, const std::string& cell) {
  if (experiment.measure == "translation") return translation(settings, cell);
  return experiment.measure == "analogy" ? analogy(settings) : similarity(settings);
}

std::string ExperimentRunner::cached(const std::map<std::string, std::string>& parts,
                                     const std::function<std::string()>& make) {
  const std::string key = ResultCache::key_of(parts);
  if (const auto known = cache_.find(key); known && Json::accept(*known)) return *known;
  std::string text = make();
  cache_.store(key, text);
  return text;
}

std::string ExperimentRunner::file(const ExperimentSettings& settings, const std::string& name) {
  const std::string pattern = get(settings, name);
  if (pattern.empty()) throw UsageError(fmt::format("the setting '{}' is missing", name));
  return files_.find(expand(pattern, settings));
}

std::string ExperimentRunner::reversed_if_asked(const ExperimentSettings& settings, const std::string& path) {
  if (!is_true(settings, "reversed")) return path;
  const std::string key = ResultCache::key_of({{"reversed", cache_.digest(path)}});
  std::string copy = cache_.path_of(key, ".txt");
  AtomicFile file(copy);
  for (const WordPairs::Pair& pair : reversed(read_word_pairs(path)).pairs) file.write(to_line(pair));
  file.commit();
  return copy;
}

/// The training lexicon: a file as it is, or a part of it that is written to the cache.
std::string ExperimentRunner::lexicon(const ExperimentSettings& settings) {
  const std::string path = file(settings, "train");
  const std::size_t words = count_of(settings, "train_words", 0);
  const bool without = !get(settings, "train_without").empty();
  if (words == 0 && !without) return reversed_if_asked(settings, path);
  std::map<std::string, std::string> parts = {{"train", cache_.digest(path)}, {"words", std::to_string(words)}};
  WordPairs pairs = read_word_pairs(path);
  if (without) {
    const std::string others = file(settings, "train_without");
    parts["without"] = cache_.digest(others);
    pairs = without_source_words(std::move(pairs), read_word_pairs(others));
  }
  if (words > 0) pairs = first_source_words(std::move(pairs), words);
  const std::string copy = cache_.path_of(ResultCache::key_of(parts), ".txt");
  AtomicFile output(copy);
  for (const WordPairs::Pair& pair : pairs.pairs) output.write(to_line(pair));
  output.commit();
  return reversed_if_asked(settings, copy);
}

ExperimentRunner::MappingFile ExperimentRunner::mapping_for(const ExperimentSettings& settings) {
  std::vector<std::string> options = words_of(get(settings, "align"));
  if (options == std::vector<std::string>{"none"}) return {};
  const bool import = !options.empty() && options.front() == "import";
  std::vector<std::string> call = {import ? "import" : "align"};
  std::map<std::string, std::string> parts = {{"seed", std::to_string(session_.options().seed)}};
  const auto add = [&](const std::string& name, const std::string& path) {
    parts[name] = cache_.digest(path);
    return path;
  };
  if (import) {
    options.erase(options.begin());
  } else {
    call.push_back(add("source", file(settings, "source_vectors")));
    call.push_back(add("target", file(settings, "target_vectors")));
    if (!get(settings, "train").empty()) call.insert(call.end(), {"--lexicon", add("lexicon", lexicon(settings))});
    call.insert(call.end(), {"--max-words", get(settings, "max_words", std::to_string(kUsualWords))});
    parts["max_words"] = call.back();
    if (const std::string steps = get(settings, "normalize"); !steps.empty()) {
      call.insert(call.end(), {"--normalize", steps});
      parts["normalize"] = steps;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::string option = expand(options[i], settings);
    refuse_outputs(option);
    text += option + ' ';
    if (option.starts_with('@')) option = add("file " + std::to_string(i), files_.find(option.substr(1)));
    call.push_back(option);
  }
  parts[call.front()] = text;
  MappingFile result = [&] {
    const std::string key = ResultCache::key_of(parts);
    return MappingFile{key, cache_.path_of(key, ".wbmap")};
  }();
  if (cache_.has(result.key, ".wbmap")) return result;
  if (const auto failed = failures_.find(result.key); failed != failures_.end()) throw Error(failed->second);
  call.insert(call.end(), {"-o", result.path});
  try {
    run_command(call, session_);
  } catch (const Error& error) {
    failures_[result.key] = error.what();
    throw;
  }
  cache_.made(result.key);
  return result;
}

std::shared_ptr<const WordVectors> ExperimentRunner::vectors(const std::string& path, std::size_t max_words) {
  const std::string name = fmt::format("{} {}", max_words, path);
  const auto found = std::ranges::find(loaded_, name, &Loaded::name);
  if (found != loaded_.end()) {
    loaded_.splice(loaded_.begin(), loaded_, found);
  } else {
    if (loaded_.size() >= kTablesKept) loaded_.pop_back();
    auto read = read_vectors(path, {.max_words = max_words});
    loaded_.push_front({name, std::make_shared<const WordVectors>(std::move(read))});
  }
  return loaded_.front().vectors;
}

CommonSpace ExperimentRunner::mapped(const ExperimentSettings& settings, const MappingFile& mapping) {
  const std::string source = file(settings, "source_vectors"), target = file(settings, "target_vectors");
  const std::size_t max_words = count_of(settings, "max_words", kUsualWords);
  const std::string name = fmt::format("{} {} {} {}", mapping.key, max_words, source, target);
  if (mapped_ && mapped_->name == name) return mapped_->space;
  mapped_.reset();
  const auto source_vectors = vectors(source, max_words), target_vectors = vectors(target, max_words);
  if (mapping.key.empty() && source_vectors->dimension() != target_vectors->dimension())
    throw UsageError(fmt::format("{} and {} do not share a space", source, target));
  mapped_ =
      Mapped{name, mapping.key.empty() ? CommonSpace(*source_vectors, *target_vectors)
                                       : CommonSpace(read_mapping(mapping.path), *source_vectors, *target_vectors)};
  return mapped_->space;
}

ExperimentRunner::Measurement ExperimentRunner::translation(const ExperimentSettings& settings,
                                                            const std::string& cell) {
  const std::string source = file(settings, "source_vectors"), target = file(settings, "target_vectors");
  const std::string test = reversed_if_asked(settings, file(settings, "test"));
  const MappingFile mapping = mapping_for(settings);
  const std::string criterion = get(settings, "criterion", "csls");
  const std::size_t neighbors = count_of(settings, "neighbors", 10);
  const bool no_identical = is_true(settings, "no_identical");
  const std::string text = cached(
      {{"measure", "translation"},
       {"mapping", mapping.key},
       {"source", cache_.digest(source)},
       {"target", cache_.digest(target)},
       {"max_words", get(settings, "max_words")},
       {"test", cache_.digest(test)},
       {"criterion", criterion},
       {"neighbors", std::to_string(neighbors)},
       {"no_identical", no_identical ? "yes" : "no"}},
      [&] {
        const CommonSpace space = mapped(settings, mapping);
        const GoldLexicon gold = read_gold_lexicon(test, space.vocabulary(Side::source), space.vocabulary(Side::target),
                                                   {.drop_identical = no_identical});
        const WordTranslation result =
            evaluate_word_translation(*make_criterion(criterion, space, {.neighbors = neighbors}), space, gold);
        Json json = Json::parse(wordbridge::to_json(result));
        json["right"] = confident(result, true);
        json["wrong"] = confident(result, false);
        return dump(json);
      });
  if (neighbors == 10 && !no_identical) note_run(settings, mapping, cell, text);
  const Json json = Json::parse(text);
  return {json.at("precision").at("all").at("1").get<double>(),
          fmt::format("{} of {} source words", json.at("words").at("covered").get<std::size_t>(),
                      json.at("words").at("all").get<std::size_t>())};
}

void ExperimentRunner::note_run(const ExperimentSettings& settings, const MappingFile& mapping, const std::string& cell,
                                const std::string& result) {
  if (mapping.key.empty()) return;
  auto run = std::ranges::find(runs_, mapping.key, &ExperimentRun::key);
  if (run == runs_.end()) {
    runs_.push_back({cell, mapping.key, describe_json(read_mapping(mapping.path)), {}, {}});
    run = runs_.end() - 1;
    if (wants_hubness_)
      run->hubness =
          cached({{"measure", "hubness"},
                  {"mapping", mapping.key},
                  {"max_words", get(settings, "max_words")},
                  {"source", cache_.digest(file(settings, "source_vectors"))},
                  {"target", cache_.digest(file(settings, "target_vectors"))}},
                 [&] {
                   const CommonSpace space = mapped(settings, mapping);
                   std::vector<Hubness> results;
                   for (const char* criterion : {"nn", "csls"})
                     results.push_back(evaluate_hubness(*make_criterion(criterion, space), space,
                                                        {.hubs = 5, .max_words = kHubnessQueries}));
                   return wordbridge::to_json(results, space.vocabulary(Side::source), space.vocabulary(Side::target));
                 });
  }
  run->translations[get(settings, "criterion", "csls")] = result;
}

ExperimentRunner::Measurement ExperimentRunner::analogy(const ExperimentSettings& settings) {
  const std::string source = file(settings, "source_vectors");
  std::vector<std::string> questions;
  for (const std::string& name : words_of(get(settings, "questions")))
    questions.push_back(files_.find(expand(name, settings)));
  const bool aligned = get(settings, "space", "original") == "aligned";
  const MappingFile mapping = aligned ? mapping_for(settings) : MappingFile();
  std::map<std::string, std::string> parts = {{"measure", "analogy"},
                                              {"mapping", mapping.key},
                                              {"source", cache_.digest(source)},
                                              {"max_words", get(settings, "max_words")}};
  for (std::size_t i = 0; i < questions.size(); ++i)
    parts[fmt::format("questions {}", i)] = cache_.digest(questions[i]);
  const std::string text = cached(parts, [&] {
    AnalogyQuestions all;
    for (const std::string& path : questions) all.append(read_analogy_questions(path));
    const auto loaded = vectors(source, count_of(settings, "max_words", kUsualWords));
    const Analogies result = evaluate_analogies(all, in_space(*loaded, mapping.path));
    return dump({{"semantic", to_json(result.semantic())},
                 {"syntactic", to_json(result.syntactic())},
                 {"total", to_json(result.total())}});
  });
  const Json part = Json::parse(text).at(get(settings, "part", "total"));
  const auto covered = part.at("covered").get<std::size_t>(), asked = part.at("questions").get<std::size_t>();
  if (covered == 0) throw Error(fmt::format("no question of the kind '{}' is covered", get(settings, "part", "total")));
  return {part.at("accuracy").get<double>(), fmt::format("{} of {} questions", covered, asked)};
}

ExperimentRunner::Measurement ExperimentRunner::similarity(const ExperimentSettings& settings) {
  const std::string source = file(settings, "source_vectors");
  const SimilarityPairs pairs = read_similarity_pairs(file(settings, "set"));
  const bool two = is_true(settings, "cross_lingual"), aligned = two || get(settings, "space") == "aligned";
  const MappingFile mapping = aligned ? mapping_for(settings) : MappingFile();
  const bool average = is_true(settings, "average_phrases");
  const std::string text =
      cached({{"measure", "similarity"},
              {"mapping", mapping.key},
              {"source", cache_.digest(source)},
              {"target", two ? cache_.digest(file(settings, "target_vectors")) : ""},
              {"max_words", get(settings, "max_words")},
              {"set", digest_of(pairs)},
              {"average_phrases", average ? "yes" : "no"}},
             [&] {
               const SimilarityOptions options = {.average_phrases = average};
               Similarity result;
               if (two) {
                 result = evaluate_similarity(pairs, mapped(settings, mapping), Side::target, options);
               } else {
                 const auto loaded = vectors(source, count_of(settings, "max_words", kUsualWords));
                 result = evaluate_similarity(pairs, in_space(*loaded, mapping.path), Side::source, options);
               }
               Json json = {{"pairs", result.pairs}, {"found", result.found}};
               json["spearman"] = result.spearman ? Json(*result.spearman) : Json();
               json["pearson"] = result.pearson ? Json(*result.pearson) : Json();
               return dump(json);
             });
  const Json json = Json::parse(text);
  const Json value = json.at(get(settings, "correlation", "spearman"));
  if (!value.is_number()) throw Error("too few pairs are found for a correlation");
  return {value.get<double>() * static_cast<double>(count_of(settings, "scale", 1)),
          fmt::format("{} of {} pairs", json.at("found").get<std::size_t>(), json.at("pairs").get<std::size_t>())};
}

}  // namespace wordbridge::cli
