#include "wordbridge/alignment_report.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/json.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr int kMaxDepth = 60;  // the report stands three levels deep in the header of a mapping file

Json parse_object(std::string_view text) {
  Json object = Json::parse(text, kMaxDepth);
  if (!object.is_object()) throw std::runtime_error("not an object");
  return object;
}

/// JSON has no NaN and no infinities: they are written as null.
double number_from(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

Json to_object(const SelectionReport& selection) {
  Json rows = Json::array();
  for (const SelectionReport::Row& row : selection.rows)
    rows.push_back({{"learning_rate", row.learning_rate},
                    {"epochs", row.epochs},
                    {"blend", row.blend},
                    {"score", row.score ? Json(*row.score) : Json(nullptr)}});
  Json object = {{"score", selection.score}, {"rows", std::move(rows)}, {"chosen", selection.chosen}};
  if (selection.words > 0) object["words"] = selection.words;
  return object;
}

SelectionReport selection_from(const Json& json) {
  SelectionReport selection{json.at("score").get<std::string>(), {}, json.at("chosen").get<std::size_t>()};
  for (const Json& row : json.at("rows")) {
    const Json& score = row.at("score");
    selection.rows.push_back({row.at("learning_rate").get<double>(), row.at("epochs").get<int>(),
                              row.at("blend").get<double>(),
                              score.is_null() ? std::nullopt : std::optional(score.get<double>())});
  }
  if (json.contains("words")) selection.words = json["words"].get<std::size_t>();
  if (selection.chosen >= selection.rows.size()) throw std::runtime_error("no such row");
  return selection;
}

Json to_list(std::span<const TrainingStep> steps) {
  Json list = Json::array();
  for (const TrainingStep& step : steps)
    list.push_back({{"epoch", step.epoch},
                    {"loss", step.loss},
                    {"step", step.step},
                    {"outcome", step.outcome},
                    {"norm", step.norm}});
  return list;
}

std::vector<TrainingStep> steps_from(const Json& json) {
  std::vector<TrainingStep> steps;
  for (const Json& step : json)
    steps.push_back({step.at("epoch").get<int>(), number_from(step.at("loss")), number_from(step.at("step")),
                     step.at("outcome").get<std::string>(), number_from(step.at("norm"))});
  return steps;
}

Json to_list(std::span<const RestartReport::Try> tries) {
  Json list = Json::array();
  for (const RestartReport::Try& one : tries) {
    Json row = {{"restart", one.restart},
                {"score", one.score},
                {"refined", one.refined},
                {"agreement", one.agreement},
                {"evidence", one.evidence}};
    if (one.validation) row["validation"] = *one.validation;
    list.push_back(std::move(row));
  }
  return list;
}

std::vector<RestartReport::Try> tries_from(const Json& json) {
  std::vector<RestartReport::Try> tries;
  for (const Json& row : json) {
    tries.push_back({row.at("restart").get<int>(), number_from(row.at("score")), number_from(row.at("refined")),
                     number_from(row.at("agreement")), number_from(row.at("evidence"))});
    if (row.contains("validation")) tries.back().validation = row["validation"].get<double>();
  }
  return tries;
}

RestartReport restarts_from(const Json& json) {
  RestartReport restarts{json.at("criterion").get<std::string>(), number_from(json.at("chance")),
                         tries_from(json.at("restarts")), json.at("chosen_restart").get<std::size_t>()};
  if (restarts.chosen >= restarts.tries.size()) throw std::runtime_error("no such try");
  return restarts;
}

Json to_list(std::span<const RefinementRound> rounds) {
  Json list = Json::array();
  for (const RefinementRound& round : rounds)
    list.push_back({{"pairs", round.pairs}, {"kept", round.kept}, {"mean_similarity", round.mean_similarity}});
  return list;
}

std::vector<RefinementRound> rounds_from(const Json& json) {
  std::vector<RefinementRound> rounds;
  for (const Json& round : json)
    rounds.push_back({round.at("pairs").get<std::size_t>(), round.at("kept").get<std::size_t>(),
                      number_from(round.at("mean_similarity"))});
  return rounds;
}

Json to_object(const RerankReport& rerank) {
  Json object = {{"words", rerank.words},   {"csls", rerank.csls}, {"reranked", rerank.reranked},
                 {"gained", rerank.gained}, {"lost", rerank.lost}, {"stored", rerank.stored}};
  if (rerank.transferred > 0) object["transferred"] = rerank.transferred;
  if (!rerank.without_spelling.empty()) object["without_spelling"] = rerank.without_spelling;
  if (rerank.one_translation) object["one_translation"] = true;
  if (rerank.untranslated > 0) object["untranslated"] = rerank.untranslated;
  return object;
}

RerankReport rerank_from(const Json& json) {
  return {json.at("words").get<std::size_t>(),       number_from(json.at("csls")),
          number_from(json.at("reranked")),          json.at("gained").get<std::size_t>(),
          json.at("lost").get<std::size_t>(),        json.at("stored").get<bool>(),
          json.value("transferred", std::size_t{0}), json.value("without_spelling", std::string()),
          json.value("one_translation", false),      json.value("untranslated", std::size_t{0})};
}

Json to_object(const SelfLearningReport& report) {
  return {{"identical", report.identical}, {"rounds", to_list(report.rounds)}};
}

Json to_object(const ChoiceReport& choice) {
  Json rows = Json::array();
  for (const ChoiceReport::Row& row : choice.rows)
    rows.push_back(
        {{"map", row.map}, {"score", row.score}, {"gained", row.gained}, {"lost", row.lost}, {"p_value", row.p_value}});
  return {{"words", choice.words},
          {"rows", std::move(rows)},
          {"chosen", choice.chosen},
          {"expected", {choice.expected_low, choice.expected_high}}};
}

ChoiceReport choice_from(const Json& json) {
  const Json& expected = json.at("expected");
  ChoiceReport choice{json.at("words").get<std::size_t>(),
                      {},
                      json.at("chosen").get<std::size_t>(),
                      number_from(expected.at(0)),
                      number_from(expected.at(1))};
  for (const Json& row : json.at("rows"))
    choice.rows.push_back({row.at("map").get<std::string>(), number_from(row.at("score")),
                           row.at("gained").get<std::size_t>(), row.at("lost").get<std::size_t>(),
                           number_from(row.at("p_value"))});
  if (choice.chosen >= choice.rows.size()) throw std::runtime_error("no such row");
  return choice;
}

/// All but `other`. A method that trains always says what it warns of, be it nothing.
Json known_to_object(const AlignmentReport& report) {
  Json object = Json::object();
  if (report.selection || report.iterations) object["warnings"] = report.warnings;
  if (report.selection) object["selection"] = to_object(*report.selection);
  if (report.iterations) object["iterations"] = to_list(*report.iterations);
  if (!report.epoch_scores.empty()) object["epochs"] = report.epoch_scores;
  if (!report.start_errors.empty()) object["start_errors"] = report.start_errors;
  if (report.restarts) {
    object["criterion"] = report.restarts->criterion;
    object["chance"] = report.restarts->chance;
    object["restarts"] = to_list(report.restarts->tries);
    object["chosen_restart"] = report.restarts->chosen;
  }
  if (!report.refinement.empty()) object["refinement"] = to_list(report.refinement);
  if (report.rerank) object["rerank"] = to_object(*report.rerank);
  if (report.self_learning) object["self_learning"] = to_object(*report.self_learning);
  if (report.choice) object["choice"] = to_object(*report.choice);
  if (!report.warnings.empty() && !object.contains("warnings")) object["warnings"] = report.warnings;
  return object;
}

/// A part of a report, told by one field of the object.
struct Part {
  std::string_view field;
  void (*read)(AlignmentReport& report, const Json& object);
};

constexpr std::array<Part, 10> kParts = {{
    {"warnings",
     [](auto& report, const Json& from) { report.warnings = from["warnings"].get<std::vector<std::string>>(); }},
    {"selection", [](auto& report, const Json& from) { report.selection = selection_from(from["selection"]); }},
    {"iterations", [](auto& report, const Json& from) { report.iterations = steps_from(from["iterations"]); }},
    {"epochs", [](auto& report, const Json& from) { report.epoch_scores = from["epochs"].get<std::vector<double>>(); }},
    {"start_errors",
     [](auto& report, const Json& from) { report.start_errors = from["start_errors"].get<std::vector<double>>(); }},
    {"restarts", [](auto& report, const Json& from) { report.restarts = restarts_from(from); }},
    {"refinement", [](auto& report, const Json& from) { report.refinement = rounds_from(from["refinement"]); }},
    {"rerank", [](auto& report, const Json& from) { report.rerank = rerank_from(from["rerank"]); }},
    {"self_learning",
     [](auto& report, const Json& from) {
       const Json& json = from["self_learning"];
       report.self_learning = {json.at("identical").get<std::size_t>(), rounds_from(json.at("rounds"))};
     }},
    {"choice", [](auto& report, const Json& from) { report.choice = choice_from(from["choice"]); }},
}};

/// True where all that `part` writes stands so in the object.
bool is_faithful(const AlignmentReport& part, const Json& object) {
  const Json written = known_to_object(part);
  for (const auto& [field, value] : written.items())
    if (!object.contains(field) || object[field].dump() != value.dump()) return false;
  return true;
}

}  // namespace

void AlignmentReport::add_warnings(const std::vector<std::string>& more) {
  for (const std::string& warning : more)
    if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
}

std::string to_json(const AlignmentReport& report) {
  Json other;
  try {
    other = parse_object(report.other);
  } catch (const std::exception&) {
    throw UsageError("what a report says beyond its fields is not a JSON object");
  }
  Json object = known_to_object(report);
  for (const auto& [field, value] : other.items())
    if (!object.contains(field)) object[field] = value;
  return object.dump();
}

AlignmentReport parse_report(std::string_view json) {
  Json object = parse_object(json);
  AlignmentReport report;
  for (const Part& part : kParts) {
    if (!object.contains(part.field)) continue;
    AlignmentReport with = report;
    try {
      part.read(with, object);
      if (is_faithful(with, object)) report = std::move(with);
    } catch (const std::runtime_error&) {
    }
  }
  const Json known = known_to_object(report);
  for (const auto& [field, value] : known.items()) object.erase(field);
  report.other = object.dump();
  return report;
}

}  // namespace wordbridge
