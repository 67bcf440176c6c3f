#include "hub/hub_records.h"

#include "base/json.h"

namespace wordbridge {

namespace {

std::string dump_record(const Json& json) { return json.dump(1) + "\n"; }

/// What `read` makes of the text; nothing where it is not as it must be.
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

}  // namespace wordbridge
