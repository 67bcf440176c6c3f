#include "mapping/rerank_model.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "base/json.h"

namespace wordbridge {

namespace {

constexpr int kModelVersion = 2, kOldestVersion = 1;
constexpr std::size_t kMostLetters = 200;     // of an alphabet; far above what is learned, below kNoLetter
constexpr std::uint32_t kSpecialLetters = 3;  // any other letter, beginning, end

[[noreturn]] void refuse(const std::string& what) { throw std::runtime_error("the re-ranker: " + what); }

double finite(const Json& json, const char* what) {
  const double value = json.get<double>();
  if (!std::isfinite(value)) refuse(fmt::format("{} is not a finite number", what));
  return value;
}

/// A null has no elements, and would pass for an empty list.
const Json& list(const Json& json, const char* what) {
  if (!json.is_array()) refuse(fmt::format("{} are no list", what));
  return json;
}

double positive(const Json& json, const char* what) {
  const double value = finite(json, what);
  if (!(value > 0)) refuse(fmt::format("{} is not positive", what));
  return value;
}

template <class Weighted>
Json weighted_to_json(const Weighted& item) {
  return {item.name, item.weight, item.mean, item.deviation};
}

template <class Weighted>
Weighted weighted_from_json(const Json& json) {
  if (!json.is_array() || json.size() != 4) refuse("a feature is not a name and three numbers");
  return {json.at(0).get<std::string>(), finite(json.at(1), "a weight"), finite(json.at(2), "a mean"),
          positive(json.at(3), "a deviation")};
}

using Letters = std::array<std::uint32_t, 2>;
constexpr std::uint32_t kNone = RerankModel::Spelling::kNoLetter;

Json letters_to_json(const Letters& letters) {
  Json list = Json::array();
  for (const std::uint32_t letter : letters)
    if (letter != kNone) list.push_back(letter);
  return list;
}

Letters letters_from_json(const Json& json, std::size_t alphabet) {
  if (!json.is_array() || json.size() > 2) refuse("a unit of spelling is not of at most two letters a side");
  Letters letters = {kNone, kNone};
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (!json[i].is_natural() || json[i].get<std::uint64_t>() >= alphabet + kSpecialLetters)
      refuse("a unit of spelling has a letter outside the alphabet");
    letters[i] = json[i].get<std::uint32_t>();
  }
  return letters;
}

std::vector<std::uint32_t> alphabet_from_json(const Json& json) {
  if (!json.is_array() || json.size() > kMostLetters) refuse("an alphabet is no list of at most 200 letters");
  std::vector<std::uint32_t> letters;
  for (const Json& letter : json) {
    if (!letter.is_natural() || letter.get<std::uint64_t>() > 0xFFFFFFFF) refuse("a letter is no code point");
    letters.push_back(letter.get<std::uint32_t>());
  }
  if (std::set(letters.begin(), letters.end()).size() != letters.size()) refuse("a letter stands twice in an alphabet");
  return letters;
}

Json spelling_to_json(const RerankModel::Spelling& spelling) {
  Json units = Json::array();
  for (const auto& unit : spelling.units)
    units.push_back({letters_to_json(unit.source), letters_to_json(unit.target), unit.probability});
  return {{"source_letters", spelling.source_letters},
          {"target_letters", spelling.target_letters},
          {"units", std::move(units)}};
}

RerankModel::Spelling spelling_from_json(const Json& json) {
  RerankModel::Spelling spelling{
      alphabet_from_json(json.at("source_letters")), alphabet_from_json(json.at("target_letters")), {}};
  for (const Json& unit : list(json.at("units"), "the units of spelling")) {
    if (!unit.is_array() || unit.size() != 3) refuse("a unit of spelling is not two lists of letters and a number");
    spelling.units.push_back({letters_from_json(unit.at(0), spelling.source_letters.size()),
                              letters_from_json(unit.at(1), spelling.target_letters.size()),
                              positive(unit.at(2), "a probability")});
    if (unit.at(0).empty() && unit.at(1).empty()) refuse("a unit of spelling has no letter");
    if (spelling.units.back().probability > 1) refuse("a probability is above 1");
  }
  return spelling;
}

RerankModel::Calibration calibration_from_json(const Json& json) {
  RerankModel::Calibration calibration{.intercept = finite(json.at("intercept"), "an intercept")};
  calibration.elsewhere = finite(json.at("elsewhere"), "a share");
  if (calibration.elsewhere < 0 || calibration.elsewhere > 1) refuse("a share is not between 0 and 1");
  for (const Json& term : list(json.at("terms"), "the terms"))
    calibration.terms.push_back(weighted_from_json<RerankModel::Calibration::Term>(term));
  return calibration;
}

double share(const Json& json, const char* what) {
  const double value = finite(json, what);
  if (value < 0 || value > 1) refuse(fmt::format("{} is not between 0 and 1", what));
  return value;
}

Json translations_to_json(const RerankModel::Translations& translations) {
  Json terms = Json::array(), balance = Json::array();
  for (const auto& term : translations.terms) terms.push_back(weighted_to_json(term));
  for (const auto& point : translations.balance) balance.push_back({point.threshold, point.precision, point.recall});
  return {{"intercept", translations.intercept},
          {"terms", std::move(terms)},
          {"balance", std::move(balance)},
          {"words", translations.words}};
}

RerankModel::Translations translations_from_json(const Json& json) {
  RerankModel::Translations translations{.intercept = finite(json.at("intercept"), "an intercept")};
  for (const Json& term : list(json.at("terms"), "the terms"))
    translations.terms.push_back(weighted_from_json<RerankModel::Calibration::Term>(term));
  for (const Json& point : list(json.at("balance"), "the points of the balance")) {
    if (!point.is_array() || point.size() != 3) refuse("a point of the balance is not three numbers");
    const double threshold = share(point.at(0), "a threshold");
    if (!translations.balance.empty() && threshold <= translations.balance.back().threshold)
      refuse("the thresholds of the balance do not ascend");
    translations.balance.push_back({threshold, share(point.at(1), "a precision"), share(point.at(2), "a recall")});
  }
  if (translations.balance.empty()) refuse("the balance has no points");
  if (!json.at("words").is_natural()) refuse("the words held out are no number");
  translations.words = json.at("words").get<std::uint64_t>();
  return translations;
}

int version_from_json(const Json& version) {
  if (!version.is_integer() || version.get<std::int64_t>() < kOldestVersion ||
      version.get<std::int64_t>() > kModelVersion)
    refuse(
        fmt::format("its version is {}, this program reads {} to {}", version.dump(), kOldestVersion, kModelVersion));
  return version.get<int>();
}

RerankModel model_from_json(const Json& json) {
  if (!json.is_object()) refuse("not an object");
  const int version = version_from_json(json.at("version"));
  RerankModel model;
  model.families = json.at("families").get<std::string>();
  std::set<std::string> names;
  for (const Json& feature : list(json.at("features"), "the features")) {
    model.features.push_back(weighted_from_json<RerankModel::Feature>(feature));
    if (!names.insert(model.features.back().name).second)
      refuse(fmt::format("the feature '{}' stands there twice", model.features.back().name));
  }
  if (model.features.empty()) refuse("it has no features");
  if (json.contains("calibration")) model.calibration = calibration_from_json(json.at("calibration"));
  if (version > 1 && json.contains("translations"))
    model.translations = translations_from_json(json.at("translations"));
  if (json.contains("spelling")) model.spelling = spelling_from_json(json.at("spelling"));
  for (const Json& pair : list(json.at("pairs"), "the pairs")) {
    if (!pair.is_array() || pair.size() != 2) refuse("a pair is not two words");
    model.pairs.push_back({pair.at(0).get<std::string>(), pair.at(1).get<std::string>()});
  }
  return model;
}

std::string model_text(const Json& json) { return json.dump(); }

}  // namespace

std::string to_json(const RerankModel& model) {
  Json features = Json::array(), pairs = Json::array();
  for (const auto& feature : model.features) features.push_back(weighted_to_json(feature));
  for (const auto& pair : model.pairs) pairs.push_back({pair.source, pair.target});
  Json json = {{"version", kModelVersion}, {"families", model.families}, {"features", std::move(features)}};
  if (model.calibration) {
    Json terms = Json::array();
    for (const auto& term : model.calibration->terms) terms.push_back(weighted_to_json(term));
    json["calibration"] = {{"intercept", model.calibration->intercept},
                           {"terms", std::move(terms)},
                           {"elsewhere", model.calibration->elsewhere}};
  }
  if (model.translations) json["translations"] = translations_to_json(*model.translations);
  if (model.spelling) json["spelling"] = spelling_to_json(*model.spelling);
  json["pairs"] = std::move(pairs);
  return model_text(json);
}

std::string describe_json(const RerankModel& model) {
  Json weights = Json::object();
  for (const auto& feature : model.features) weights[feature.name] = feature.weight;
  return model_text({{"version", kModelVersion}, {"families", model.families}, {"weights", std::move(weights)}});
}

RerankModel parse_rerank_model(std::string_view json) {
  try {
    return model_from_json(Json::parse(json));
  } catch (const JsonError& error) {
    refuse(error.what());
  }
}

}  // namespace wordbridge
