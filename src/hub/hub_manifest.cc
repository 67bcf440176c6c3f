#include "hub/hub_manifest.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr const char* kKind = "wordbridge hub";
constexpr int kFormat = 1;

Json manifest_json(const HubManifest::Language& language) {
  Json json = {{"vectors", language.vectors},
               {"table", language.table},
               {"words", language.words},
               {"dimension", language.dimension},
               {"checksum", language.checksum}};
  if (language.mapping.empty()) return json;
  json["mapping"] = language.mapping;
  json["mapping_sha256"] = language.mapping_checksum;
  json["method"] = language.method;
  json["lexicon"] = language.lexicon;
  json["warnings"] = language.warnings;
  return json;
}

HubManifest::Language language_from(const std::string& name, const Json& json) {
  HubManifest::Language language;
  language.name = name;
  language.vectors = json.at("vectors").get<std::string>();
  language.table = json.at("table").get<std::string>();
  language.words = json.at("words").get<std::uint64_t>();
  language.dimension = json.at("dimension").get<std::uint64_t>();
  language.checksum = json.at("checksum").get<std::string>();
  if (!json.contains("mapping")) return language;
  language.mapping = json.at("mapping").get<std::string>();
  language.mapping_checksum = json.at("mapping_sha256").get<std::string>();
  language.method = json.at("method").get<std::string>();
  language.lexicon = json.at("lexicon").get<std::string>();
  language.warnings = json.at("warnings").get<std::vector<std::string>>();
  return language;
}

/// {"es": {"de": {...}}}
Json manifest_json(const HubManifest::Scores& scores) {
  Json json = Json::object();
  // A direction is a record of a pair whose other direction is empty.
  for (const auto& [pair, record] : scores)
    json[pair.first][pair.second] = Json::parse(to_record(PairRecord{{}, record, {}})).at("forward");
  return json;
}

HubManifest::Scores scores_from(const Json& json) {
  HubManifest::Scores scores;
  for (const auto& [source, targets] : json.items())
    for (const auto& [target, record] : targets.items()) {
      const Json pair = {{"key", ""}, {"forward", record}, {"backward", record}};
      if (const auto parsed = parse_pair_record(pair.dump()))
        scores[{source, target}] = parsed->forward;
      else
        throw JsonError("no score");
    }
  return scores;
}

Json manifest_json(const HubComparison& comparison) {
  return {{"directions", comparison.directions}, {"star", comparison.star},
          {"joint", comparison.joint},           {"pivot_directions", comparison.pivot_directions},
          {"star_pivot", comparison.star_pivot}, {"joint_pivot", comparison.joint_pivot}};
}

HubComparison comparison_from(const Json& json) {
  return {json.at("directions").get<std::size_t>(), json.at("star").get<double>(),
          json.at("joint").get<double>(),           json.at("star_pivot").get<double>(),
          json.at("joint_pivot").get<double>(),     json.at("pivot_directions").get<std::size_t>()};
}

HubManifest manifest_from(const Json& json) {
  HubManifest manifest;
  manifest.version = json.at("wordbridge").get<std::string>();
  manifest.pivot = json.at("pivot").get<std::string>();
  manifest.normalization = json.at("normalization").get<std::string>();
  manifest.seed = json.at("seed").get<std::uint64_t>();
  manifest.max_words = json.at("max_words").get<std::uint64_t>();
  manifest.recommended = json.at("recommended").get<std::string>() == "joint" ? HubMaps::joint : HubMaps::star;
  for (const auto& [name, language] : json.at("languages").items())
    manifest.languages.push_back(language_from(name, language));
  manifest.failed = json.at("failed").get<std::map<std::string, std::string>>();
  for (const HubMaps maps : {HubMaps::star, HubMaps::joint})
    if (const auto& scores = json.at("scores"); scores.contains(name_of(maps)))
      manifest.scores[maps] = scores_from(scores.at(name_of(maps)));
  if (json.contains("comparison")) manifest.comparison = comparison_from(json.at("comparison"));
  return manifest;
}

}  // namespace

const HubManifest::Language* HubManifest::find(const std::string& name) const {
  const auto found = std::ranges::find(languages, name, &Language::name);
  return found == languages.end() ? nullptr : &*found;
}

const DirectionRecord* HubManifest::score(const std::string& source, const std::string& target) const {
  const auto maps = scores.find(recommended);
  if (maps == scores.end()) return nullptr;
  const auto found = maps->second.find({source, target});
  return found == maps->second.end() || !found->second.measured() ? nullptr : &found->second;
}

double HubManifest::mean_precision(HubMaps maps) const {
  const auto all = scores.find(maps);
  double sum = 0;
  std::size_t count = 0;
  if (all != scores.end())
    for (const auto& [pair, record] : all->second)
      if (record.measured()) sum += record.precision[0], ++count;
  return count == 0 ? -1 : sum / static_cast<double>(count);
}

HubComparison compare_maps(const HubManifest& manifest) {
  HubComparison result;
  const HubManifest::Scores &star = manifest.scores.at(HubMaps::star), &joint = manifest.scores.at(HubMaps::joint);
  for (const auto& [pair, record] : star) {
    const auto other = joint.find(pair);
    if (other == joint.end() || record.selection < 0 || other->second.selection < 0) continue;
    ++result.directions;
    result.star += record.selection;
    result.joint += other->second.selection;
    if (pair.first != manifest.pivot && pair.second != manifest.pivot) continue;
    ++result.pivot_directions;
    result.star_pivot += record.selection;
    result.joint_pivot += other->second.selection;
  }
  const auto mean = [](double& sum, std::size_t count) { sum = count == 0 ? 0 : sum / static_cast<double>(count); };
  mean(result.star, result.directions);
  mean(result.joint, result.directions);
  mean(result.star_pivot, result.pivot_directions);
  mean(result.joint_pivot, result.pivot_directions);
  return result;
}

std::string to_json(const HubManifest& manifest) {
  Json languages = Json::object(), scores = Json::object();
  for (const HubManifest::Language& language : manifest.languages) languages[language.name] = manifest_json(language);
  for (const auto& [maps, records] : manifest.scores) scores[name_of(maps)] = manifest_json(records);
  Json json = {{"kind", kKind},
               {"format", kFormat},
               {"wordbridge", manifest.version},
               {"pivot", manifest.pivot},
               {"normalization", manifest.normalization},
               {"seed", manifest.seed},
               {"max_words", manifest.max_words},
               {"recommended", name_of(manifest.recommended)},
               {"languages", std::move(languages)},
               {"failed", manifest.failed},
               {"scores", std::move(scores)}};
  if (manifest.comparison) json["comparison"] = manifest_json(*manifest.comparison);
  return json.dump(1) + "\n";
}

HubManifest parse_manifest(const std::string& text, const std::string& path) {
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || json.value("kind", "") != kKind)
      throw InputError(path, 0, "is not the manifest of a hub, as 'wordbridge hub' writes it");
    if (json.at("format").get<int>() > kFormat)
      throw InputError(path, 0, fmt::format("was written by a newer version, {}", json.value("wordbridge", "")));
    return manifest_from(json);
  } catch (const JsonError&) {
    throw InputError(path, 0, "is not the manifest of a hub, or damaged");
  }
}

}  // namespace wordbridge
