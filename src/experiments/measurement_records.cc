#include "experiments/measurement_records.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/json.h"
#include "evaluation/entry_scores.h"
#include "evaluation/result_json.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kConfidentWords = 12;

std::string dump(const Json& json, int indent = 1) { return json.dump(indent); }

/// What `read` makes of the text; nullopt if it is not as it must be.
template <class Read>
auto parse(std::string_view text, const Read& read) -> std::optional<decltype(read(Json()))> {
  try {
    return read(Json::parse(text));
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

Json confident(const WordTranslation& result, bool right) {
  Json list = Json::array();
  for (const ConfidentTranslation& one : confident_translations(result, right, kConfidentWords))
    list.push_back({{"word", one.word}, {"translation", one.translation}, {"score", one.score}, {"gold", one.gold}});
  return list;
}

std::vector<ConfidentTranslation> confident_from(const Json& list) {
  std::vector<ConfidentTranslation> result;
  for (const Json& entry : list)
    result.push_back({entry.at("word").get<std::string>(), entry.at("translation").get<std::string>(),
                      entry.at("score").get<double>(), entry.at("gold").get<std::vector<std::string>>()});
  return result;
}

HubnessRecord hubness_from(const Json& json) {
  HubnessRecord record;
  record.criterion = json.at("criterion").get<std::string>();
  record.source_words = json.at("source_words").get<std::size_t>();
  record.skewness = json.at("skewness").get<double>();
  record.largest = json.at("largest").get<std::size_t>();
  record.never_percent = json.at("never_percent").get<double>();
  for (const Json& bin : json.at("histogram"))
    record.histogram.push_back({bin.at("occurrences").get<std::string>(), bin.at("targets").get<std::size_t>()});
  for (const Json& hub : json.at("hubs")) record.hubs.push_back(hub.at("word").get<std::string>());
  return record;
}

Json score_of(const Analogies::Score& score) {
  return {{"questions", score.questions}, {"covered", score.covered}, {"accuracy", score.accuracy()}};
}

AnalogyRecord::Part part_from(const Json& json) {
  return {json.at("questions").get<std::size_t>(), json.at("covered").get<std::size_t>(),
          json.at("accuracy").get<double>()};
}

std::optional<double> number_or_nothing(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

}  // namespace

std::string to_record(const WordTranslation& result) {
  Json object = Json::parse(to_json(result));
  object["right"] = confident(result, true);
  object["wrong"] = confident(result, false);
  return dump(object);
}

TranslationRecord record_of(const WordTranslation& result) {
  return {result.all.precision[0],
          result.all.words,
          result.covered.words,
          confident_translations(result, true, kConfidentWords),
          confident_translations(result, false, kConfidentWords),
          result.entries};
}

std::optional<TranslationRecord> parse_translation_record(std::string_view text) {
  return parse(text, [](const Json& json) {
    const Json& words = json.at("words");
    TranslationRecord record{json.at("precision").at("all").at("1").get<double>(), words.at("all").get<std::size_t>(),
                             words.at("covered").get<std::size_t>(), confident_from(json.at("right")),
                             confident_from(json.at("wrong"))};
    if (json.contains("entries")) record.entries = parse_entry_scores(json.at("entries").dump());
    return record;
  });
}

namespace {

using EntryScore = double (*)(const EntryScores&);
constexpr std::array<std::pair<std::string_view, EntryScore>, 7> kEntryScores = {
    {{"f1", [](const EntryScores& scores) { return scores.f1.value; }},
     {"precision", [](const EntryScores& scores) { return scores.precision.value; }},
     {"recall", [](const EntryScores& scores) { return scores.recall.value; }},
     {"average-precision", [](const EntryScores& scores) { return scores.average_precision.value; }},
     {"recall-at-80", [](const EntryScores& scores) { return scores.recall_at_80; }},
     {"calibration-error", [](const EntryScores& scores) { return scores.calibration_error; }},
     {"p@1-any-form", [](const EntryScores& scores) { return scores.first_right_in_any_form; }}}};
constexpr const char* kFirstRight = "p@1";

}  // namespace

std::vector<std::string> translation_scores() {
  std::vector<std::string> names = {kFirstRight};
  for (const auto& [name, score] : kEntryScores) names.emplace_back(name);
  return names;
}

double TranslationRecord::score(const std::string& name) const {
  if (name == kFirstRight) return precision_at_1;
  if (!entries) throw UsageError(fmt::format("the score '{}' is of entries, which need a re-ranker", name));
  for (const auto& [known, score] : kEntryScores)
    if (known == name) return score(*entries);
  throw UsageError(fmt::format("there is no score '{}'", name));
}

std::string to_record(std::span<const Hubness> results, const Vocabulary& source, const Vocabulary& target) {
  Json list = Json::array();
  for (const Hubness& result : results) list.push_back(Json::parse(to_json(result, source, target)));
  return dump(list, 2) + '\n';
}

HubnessRecord record_of(const Hubness& result, const Vocabulary& target) {
  HubnessRecord record{
      result.criterion, result.queries, result.skewness, result.largest(), result.never_percent(), {}, {}};
  for (std::size_t bin = 0; bin < result.histogram.size(); ++bin)
    record.histogram.push_back({histogram_label(bin), result.histogram[bin]});
  for (const Hubness::Hub& hub : result.hubs) record.hubs.emplace_back(target[hub.target]);
  return record;
}

std::optional<std::vector<HubnessRecord>> parse_hubness_record(std::string_view text) {
  return parse(text, [](const Json& json) {
    static_cast<void>(json.at(0));  // a list, of one at least
    std::vector<HubnessRecord> records;
    for (const Json& entry : json) records.push_back(hubness_from(entry));
    return records;
  });
}

const AnalogyRecord::Part& AnalogyRecord::part(const std::string& name) const {
  if (name == "semantic") return semantic;
  if (name == "syntactic") return syntactic;
  if (name == "total") return total;
  throw UsageError(fmt::format("the setting 'part' must be semantic, syntactic or total, not '{}'", name));
}

std::string to_record(const Analogies& result) {
  return dump({{"semantic", score_of(result.semantic())},
               {"syntactic", score_of(result.syntactic())},
               {"total", score_of(result.total())}});
}

std::optional<AnalogyRecord> parse_analogy_record(std::string_view text) {
  return parse(text, [](const Json& json) {
    return AnalogyRecord{part_from(json.at("semantic")), part_from(json.at("syntactic")), part_from(json.at("total"))};
  });
}

std::optional<double> SimilarityRecord::correlation(const std::string& name) const {
  if (name == "spearman") return spearman;
  if (name == "pearson") return pearson;
  throw UsageError(fmt::format("the setting 'correlation' must be spearman or pearson, not '{}'", name));
}

std::string to_record(const Similarity& result) {
  return dump({{"pairs", result.pairs},
               {"found", result.found},
               {"spearman", result.spearman ? Json(*result.spearman) : Json()},
               {"pearson", result.pearson ? Json(*result.pearson) : Json()}});
}

std::optional<SimilarityRecord> parse_similarity_record(std::string_view text) {
  return parse(text, [](const Json& json) {
    return SimilarityRecord{json.at("pairs").get<std::size_t>(), json.at("found").get<std::size_t>(),
                            number_or_nothing(json.at("spearman")), number_or_nothing(json.at("pearson"))};
  });
}

}  // namespace wordbridge
