#include "hub/hub_manifest.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

std::string dump_record(const Json& json) { return json.dump(1) + "\n"; }

/// What `read` makes of the text; nullopt if it is not as it must be.
template <class Read>
auto parse_record(std::string_view text, const Read& read) -> std::optional<decltype(read(Json()))> {
  try {
    return read(Json::parse(text));
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

Json json_of(const HubnessRecord& record) {
  Json histogram = Json::array();
  for (const HubnessRecord::Bin& bin : record.histogram)
    histogram.push_back({{"occurrences", bin.occurrences}, {"targets", bin.targets}});
  return {{"criterion", record.criterion},
          {"source_words", record.source_words},
          {"skewness", record.skewness},
          {"largest", record.largest},
          {"never_percent", record.never_percent},
          {"histogram", std::move(histogram)},
          {"hubs", record.hubs}};
}

HubnessRecord hubness_of(const Json& json) {
  HubnessRecord record;
  record.criterion = json.at("criterion").get<std::string>();
  record.source_words = json.at("source_words").get<std::size_t>();
  record.skewness = json.at("skewness").get<double>();
  record.largest = json.at("largest").get<std::size_t>();
  record.never_percent = json.at("never_percent").get<double>();
  for (const Json& bin : json.at("histogram"))
    record.histogram.push_back({bin.at("occurrences").get<std::string>(), bin.at("targets").get<std::size_t>()});
  record.hubs = json.at("hubs").get<std::vector<std::string>>();
  return record;
}

Json json_of(const DirectionRecord& record) {
  Json json = {{"origin", record.origin},
               {"problem", record.problem},
               {"words", record.words},
               {"covered", record.covered},
               {"precision", record.precision},
               {"selection", record.selection},
               {"selection_words", record.selection_words}};
  Json bands = Json::array();
  for (const DirectionRecord::Band& band : record.bands)
    bands.push_back({{"last", band.last}, {"words", band.words}, {"precision", band.precision}});
  json["bands"] = std::move(bands);
  if (record.hubness) json["hubness"] = json_of(*record.hubness);
  if (!record.reranker.empty()) json["reranker"] = record.reranker;
  if (record.is_reranked()) {
    json["reranked"] = record.reranked;
    json["mapping"] = record.mapping;
    json["mapping_sha256"] = record.mapping_checksum;
  }
  return json;
}

DirectionRecord direction_of(const Json& json) {
  DirectionRecord record;
  record.origin = json.at("origin").get<std::string>();
  record.problem = json.at("problem").get<std::string>();
  record.words = json.at("words").get<std::size_t>();
  record.covered = json.at("covered").get<std::size_t>();
  for (std::size_t i = 0; i < std::size(record.precision); ++i)
    record.precision[i] = json.at("precision").at(i).get<double>();
  record.selection = json.at("selection").get<double>();
  record.selection_words = json.at("selection_words").get<std::size_t>();
  for (const Json& band : json.at("bands"))
    record.bands.push_back(
        {band.at("last").get<std::size_t>(), band.at("words").get<std::size_t>(), band.at("precision").get<double>()});
  if (json.contains("hubness")) record.hubness = hubness_of(json.at("hubness"));
  if (json.contains("reranker")) record.reranker = json.at("reranker").get<std::string>();
  if (json.contains("mapping")) {
    for (std::size_t i = 0; i < std::size(record.reranked); ++i)
      record.reranked[i] = json.at("reranked").at(i).get<double>();
    record.mapping = json.at("mapping").get<std::string>();
    record.mapping_checksum = json.at("mapping_sha256").get<std::string>();
  }
  return record;
}

}  // namespace

std::string to_record(const TableRecord& record) {
  return dump_record({{"key", record.key},
                      {"path", record.path},
                      {"bytes", record.bytes},
                      {"words", record.words},
                      {"dimension", record.dimension},
                      {"checksum", record.checksum}});
}

std::optional<TableRecord> parse_table_record(std::string_view text) {
  return parse_record(text, [](const Json& json) {
    return TableRecord{json.at("key").get<std::string>(),         json.at("path").get<std::string>(),
                       json.at("bytes").get<std::uint64_t>(),     json.at("words").get<std::uint64_t>(),
                       json.at("dimension").get<std::uint64_t>(), json.at("checksum").get<std::string>()};
  });
}

std::string to_record(const AlignedRecord& record) {
  return dump_record({{"key", record.key},
                      {"mapping", record.mapping},
                      {"method", record.method},
                      {"lexicon", record.lexicon},
                      {"warnings", record.warnings}});
}

std::optional<AlignedRecord> parse_aligned_record(std::string_view text) {
  return parse_record(text, [](const Json& json) {
    return AlignedRecord{json.at("key").get<std::string>(), json.at("mapping").get<std::string>(),
                         json.at("method").get<std::string>(), json.at("lexicon").get<std::string>(),
                         json.at("warnings").get<std::vector<std::string>>()};
  });
}

std::string to_record(const FailureRecord& record) {
  return dump_record({{"key", record.key}, {"reason", record.reason}});
}

std::optional<FailureRecord> parse_failure_record(std::string_view text) {
  return parse_record(text, [](const Json& json) {
    return FailureRecord{json.at("key").get<std::string>(), json.at("reason").get<std::string>()};
  });
}

std::string to_record(const PairRecord& record) {
  return dump_record(
      {{"key", record.key}, {"forward", json_of(record.forward)}, {"backward", json_of(record.backward)}});
}

std::optional<PairRecord> parse_pair_record(std::string_view text) {
  return parse_record(text, [](const Json& json) {
    return PairRecord{json.at("key").get<std::string>(), direction_of(json.at("forward")),
                      direction_of(json.at("backward"))};
  });
}

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

double HubManifest::mean_reranked(HubMaps maps) const {
  const auto all = scores.find(maps);
  double sum = 0;
  std::size_t count = 0;
  bool any = false;
  if (all != scores.end())
    for (const auto& [pair, record] : all->second)
      if (record.measured()) {
        sum += record.is_reranked() ? record.reranked[0] : record.precision[0];
        any = any || record.is_reranked();
        ++count;
      }
  return any ? sum / static_cast<double>(count) : -1;
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
