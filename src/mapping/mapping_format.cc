#include "mapping/mapping_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/checksum.h"
#include "base/json.h"
#include "io/byte_stream.h"
#include "mapping/rerank_model.h"
#include "mapping/space_identity.h"
#include "mapping/stored_lexicon.h"
#include "vectors/unit_row.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

static_assert(std::endian::native == std::endian::little, "values are stored little-endian");

// A byte above 127 and a line end of two bytes show at once a file that some transfer took for text.
constexpr std::string_view kMagic("\x89WBMAP\r\n", 8);
// A mapping with a lexicon is of version 3, one with an intercept of version 2; any other is written as version 1,
// which all can read.
constexpr std::uint32_t kVersion = 3;
constexpr std::size_t kPrefixBytes = 16;  // magic, version, length of the header
constexpr std::size_t kChecksumBytes = 32;
// Far above any real mapping; what claims more is damaged, and is refused before memory is asked for.
constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{1} << 26;
constexpr std::uint64_t kMaxValues = std::uint64_t{1} << 28;
constexpr std::uint64_t kMaxFileBytes =
    kPrefixBytes + kMaxHeaderBytes + kMaxValues * sizeof(float) + kMostStoredLexiconBytes + kChecksumBytes;
static_assert(kMostMappingBytes > kMaxFileBytes);

constexpr int kMaxHeaderDepth = 64;

// JSON has no infinities: a metric that is not finite is a string.
Json metric_to_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double metric_from_json(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  const auto& text = json.text();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

std::uint64_t count_from_json(const Json& json) {
  if (!json.is_natural()) throw std::runtime_error("a count is not a number from 0 up");
  return json.get<std::uint64_t>();
}

Json origin_to_json(const VectorsOrigin& origin) {
  Json json = {
      {"name", origin.name}, {"checksum", origin.checksum}, {"words", origin.words}, {"dimension", origin.dimension}};
  if (origin.head != 0) json["head"] = space_name(origin.head);
  return json;
}

VectorsOrigin origin_from_json(const Json& json) {
  return {json.at("name").get<std::string>(), json.at("checksum").get<std::string>(), count_from_json(json.at("words")),
          count_from_json(json.at("dimension")),
          json.contains("head") ? parse_space_name(json["head"].get<std::string>()) : 0};
}

Json provenance_to_json(const Provenance& provenance) {
  Json metrics = Json::object();
  for (const auto& [name, value] : provenance.metrics) metrics[name] = metric_to_json(value);
  return {{"version", provenance.version},
          {"method", provenance.method},
          {"options", provenance.options},
          {"seed", provenance.seed},
          {"max_words", provenance.max_words},
          {"criterion", provenance.criterion},
          {"source", origin_to_json(provenance.source)},
          {"target", origin_to_json(provenance.target)},
          {"lexicon", provenance.lexicon},
          {"metrics", std::move(metrics)},
          {"details", Json::parse(to_json(provenance.report))}};
}

Provenance provenance_from_json(const Json& json) {
  Provenance provenance;
  provenance.version = json.at("version").get<std::string>();
  provenance.method = json.at("method").get<std::string>();
  provenance.options = json.at("options").get<std::map<std::string, std::string>>();
  provenance.seed = count_from_json(json.at("seed"));
  provenance.max_words = count_from_json(json.at("max_words"));
  provenance.criterion = json.at("criterion").get<std::string>();
  provenance.source = origin_from_json(json.at("source"));
  provenance.target = origin_from_json(json.at("target"));
  provenance.lexicon = json.at("lexicon").get<std::string>();
  if (!json.at("metrics").is_object()) throw std::runtime_error("the metrics are not an object");
  for (const auto& [name, value] : json.at("metrics").items()) provenance.metrics[name] = metric_from_json(value);
  if (!json.at("details").is_object()) throw std::runtime_error("the details are not an object");
  provenance.report = parse_report(json.at("details").dump());
  return provenance;
}

/// `lexicon_bytes`: of the lexicon, compressed; 0: without it.
Json header_to_json(const Mapping& mapping, std::size_t lexicon_bytes = 0) {
  const auto side = [&](Side which, bool mapped) -> Json {
    return {{"dimension", mapping.input_dimension(which)},
            {"normalization", mapping.normalizer(which).name()},
            {"map", mapped}};
  };
  Json source = side(Side::source, true);
  if (!mapping.source_intercept().empty()) source["intercept"] = true;
  Json json = {{"common_dimension", mapping.common_dimension()},
               {"source", std::move(source)},
               {"target", side(Side::target, mapping.target_map().has_value())},
               {"provenance", provenance_to_json(mapping.provenance)}};
  if (lexicon_bytes > 0) json["lexicon"] = {{"pairs", mapping.lexicon->pairs.size()}, {"bytes", lexicon_bytes}};
  return json;
}

/// One side as the header describes it.
struct SideShape {
  std::uint64_t dimension;
  std::vector<Normalizer::Step> steps;
  bool mapped;
  bool intercept;

  explicit SideShape(const Json& json)
      : dimension(count_from_json(json.at("dimension"))),
        steps(Normalizer::parse(json.at("normalization").get<std::string>())),
        mapped(json.at("map").get<bool>()),
        intercept(json.value("intercept", false)) {}
  std::uint64_t centers() const {
    return static_cast<std::uint64_t>(std::count(steps.begin(), steps.end(), Normalizer::Step::center));
  }
};

/// What the header says: the shapes of all blocks, in the order in which they follow.
struct MappingHeader {
  std::uint64_t common;
  SideShape source, target;
  Provenance provenance;
  std::shared_ptr<const RerankModel> reranker;
  std::uint64_t lexicon_pairs = 0, lexicon_bytes = 0;

  explicit MappingHeader(const Json& json)
      : common(count_from_json(json.at("common_dimension"))),
        source(json.at("source")),
        target(json.at("target")),
        provenance(provenance_from_json(json.at("provenance"))) {
    if (json.contains("reranker"))
      reranker = std::make_shared<const RerankModel>(parse_rerank_model(json.at("reranker").dump()));
    if (json.contains("lexicon")) {
      lexicon_pairs = count_from_json(json["lexicon"].at("pairs"));
      lexicon_bytes = count_from_json(json["lexicon"].at("bytes"));
      if (lexicon_pairs == 0 || lexicon_bytes == 0 || lexicon_bytes > kMostStoredLexiconBytes)
        throw std::runtime_error(fmt::format("a lexicon of {} pairs in {} bytes", lexicon_pairs, lexicon_bytes));
    }
    if (target.intercept) throw std::runtime_error("the target side has an intercept");
    if (!source.mapped) throw std::runtime_error("there is no source map");
    if (!target.mapped && target.dimension != common) throw std::runtime_error("the dimensions contradict each other");
    for (const std::uint64_t dimension : {common, source.dimension, target.dimension})
      if (dimension == 0 || dimension > kMaxValues)
        throw std::runtime_error(fmt::format("a dimension of {}", dimension));
  }
  /// Each term stays far below overflow: factors are at most 2^28, counts of steps at most the header's length.
  std::uint64_t values() const {
    return common * source.dimension + (target.mapped ? common * target.dimension : 0) +
           (source.intercept ? common : 0) + source.centers() * source.dimension + target.centers() * target.dimension;
  }
};

std::string header_text(const Json& json, int indent = -1) { return json.dump(indent); }

std::string file_header(const Mapping& mapping, std::size_t lexicon_bytes) {
  Json header = header_to_json(mapping, lexicon_bytes);
  if (mapping.reranker) header["reranker"] = Json::parse(to_json(*mapping.reranker));
  return header_text(header);
}

/// Takes the blocks off the bytes one after the other.
class Blocks {
 public:
  Blocks(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  void take(std::span<float> values) {
    if (values.empty()) return;
    std::memcpy(values.data(), bytes_.data(), values.size_bytes());
    bytes_.remove_prefix(values.size_bytes());
    if (!all_finite(values.data(), values.size()))
      throw InputError(path_, 0, "the mapping holds a value that is not a finite number");
  }
  Matrix matrix(std::uint64_t rows, std::uint64_t cols) {
    Matrix result = Matrix::uninitialized(rows, cols);
    take(result.elements());
    return result;
  }
  Normalizer normalizer(const SideShape& side) {
    std::vector<std::vector<float>> means(side.centers(), std::vector<float>(side.dimension));
    for (auto& mean : means) take(mean);
    return Normalizer::from_parts(side.steps, std::move(means));
  }

 private:
  std::string_view bytes_;
  const std::string& path_;
};

template <class T>
T load(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

/// Checks magic and version: what may be said before the rest is there.
void check_prefix(std::string_view bytes, const std::string& path) {
  if (bytes.empty()) throw InputError(path, 0, "the file is empty");
  if (!looks_like_mapping(bytes)) throw InputError(path, 0, "not a mapping file of wordbridge (.wbmap)");
  if (bytes.size() < kPrefixBytes) throw InputError(path, 0, "the mapping file is cut off");
  const auto file_version = load<std::uint32_t>(bytes, kMagic.size());
  if (file_version > kVersion)
    throw InputError(path, 0,
                     fmt::format("the mapping file has format version {}, wordbridge {} reads up to {}: a newer "
                                 "wordbridge is needed",
                                 file_version, version(), kVersion));
  if (file_version == 0) throw InputError(path, 0, "damaged mapping file: format version 0");
}

MappingHeader parse_header(std::string_view text, const std::string& path) {
  try {
    return MappingHeader(Json::parse(text, kMaxHeaderDepth));
  } catch (const JsonSyntaxError& error) {
    throw InputError(path, 0, fmt::format("damaged header of the mapping file: it is {}", error.what()));
  } catch (const JsonError&) {
    throw InputError(path, 0, "damaged header of the mapping file: something is missing, or has another type");
  } catch (const std::runtime_error& error) {
    std::string reason = error.what();
    std::replace_if(
        reason.begin(), reason.end(), [](unsigned char c) { return c < 32; }, ' ');
    throw InputError(path, 0, "damaged header of the mapping file: " + reason);
  }
}

std::shared_ptr<const StoredLexicon> read_lexicon(std::string_view bytes, const MappingHeader& header,
                                                  const std::string& path) {
  try {
    return std::make_shared<const StoredLexicon>(parse_stored_lexicon(bytes, header.lexicon_pairs));
  } catch (const std::runtime_error& error) {
    throw InputError(path, 0, fmt::format("damaged mapping file: {}", error.what()));
  }
}

}  // namespace

bool looks_like_mapping(std::string_view bytes) { return bytes.starts_with(kMagic); }

Mapping parse_mapping(std::string_view bytes, const std::string& path) {
  check_prefix(bytes, path);
  const std::uint64_t header_bytes = load<std::uint32_t>(bytes, kMagic.size() + sizeof(std::uint32_t));
  if (header_bytes > kMaxHeaderBytes)
    throw InputError(path, 0, "damaged mapping file: impossible length of the header");
  if (bytes.size() < kPrefixBytes + header_bytes + kChecksumBytes)
    throw InputError(path, 0, "the mapping file is cut off");
  // The checksum comes before the header is believed: damage is then named as such, whatever it hit.
  const std::string_view content = bytes.substr(0, bytes.size() - kChecksumBytes);
  Sha256 hash;
  hash.update(content);
  const Sha256::Digest digest = hash.finish();
  if (std::memcmp(digest.data(), bytes.data() + content.size(), kChecksumBytes) != 0)
    throw InputError(path, 0, "the mapping file is damaged or cut off: its checksum does not fit");
  const MappingHeader header = parse_header(content.substr(kPrefixBytes, header_bytes), path);
  const auto file_version = load<std::uint32_t>(bytes, kMagic.size());
  if (header.source.intercept && file_version < 2)
    throw InputError(path, 0, "damaged header of the mapping file: an intercept in format version 1");
  if (header.lexicon_bytes > 0 && file_version < 3)
    throw InputError(path, 0, "damaged header of the mapping file: a lexicon before format version 3");
  const std::string_view blocks_bytes = content.substr(kPrefixBytes + header_bytes);
  if (header.values() > kMaxValues || blocks_bytes.size() != header.values() * sizeof(float) + header.lexicon_bytes)
    throw InputError(path, 0,
                     fmt::format("damaged mapping file: {} bytes of values{} where the header says {} values{}",
                                 blocks_bytes.size(), header.lexicon_bytes > 0 ? " and lexicon" : "", header.values(),
                                 header.lexicon_bytes > 0 ? fmt::format(" and {} bytes", header.lexicon_bytes) : ""));
  Blocks blocks(blocks_bytes, path);
  Matrix source_map = blocks.matrix(header.common, header.source.dimension);
  std::optional<Matrix> target_map;
  if (header.target.mapped) target_map = blocks.matrix(header.common, header.target.dimension);
  std::vector<float> intercept(header.source.intercept ? header.common : 0);
  blocks.take(intercept);
  Normalizer source_normalizer = blocks.normalizer(header.source);
  Normalizer target_normalizer = blocks.normalizer(header.target);
  Mapping mapping(std::move(source_map), std::move(source_normalizer), std::move(target_normalizer),
                  std::move(target_map));
  mapping.set_source_intercept(std::move(intercept));
  mapping.provenance = header.provenance;
  mapping.reranker = header.reranker;
  if (header.lexicon_bytes > 0)
    mapping.lexicon = read_lexicon(blocks_bytes.substr(blocks_bytes.size() - header.lexicon_bytes), header, path);
  return mapping;
}

Mapping read_mapping(const std::string& path) {
  const auto stream = open_bytes(path);
  check_prefix(stream->peek(kPrefixBytes), stream->path());  // a large file of another kind is not read whole
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::string bytes;
  for (std::size_t got = kPiece; got == kPiece;) {
    if (bytes.size() > kMaxFileBytes) throw InputError(stream->path(), 0, "too long for a mapping file");
    bytes.resize(bytes.size() + kPiece);
    got = stream->read(bytes.data() + bytes.size() - kPiece, kPiece);
    bytes.resize(bytes.size() - kPiece + got);
  }
  return parse_mapping(bytes, stream->path());
}

void write_mapping(const Mapping& mapping, const std::string& path) {
  AtomicFile file(path);
  write_mapping(mapping, file);
}

void write_mapping(const Mapping& mapping, AtomicFile& file) {
  file.write(mapping_bytes(mapping));
  file.commit();
}

std::string mapping_bytes(const Mapping& mapping) {
  std::string lexicon;
  if (mapping.lexicon && !mapping.lexicon->pairs.empty()) lexicon = to_compressed(*mapping.lexicon);
  if (lexicon.size() > kMostStoredLexiconBytes)
    throw UsageError("the lexicon is too long for a mapping file: leave it out (option no-lexicon)");
  const std::string header = file_header(mapping, lexicon.size());
  if (header.size() > kMaxHeaderBytes) throw UsageError("the provenance is too long for a mapping file");
  std::string bytes(kMagic);
  const auto put = [&](const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); };
  const auto put_values = [&](std::span<const float> values) {
    if (!all_finite(values.data(), values.size()))
      throw Error("a mapping with a value that is not a finite number cannot be written");
    put(values.data(), values.size_bytes());
  };
  const std::uint32_t format_version = !lexicon.empty() ? kVersion : mapping.source_intercept().empty() ? 1 : 2;
  const std::uint32_t numbers[2] = {format_version, static_cast<std::uint32_t>(header.size())};
  put(numbers, sizeof(numbers));
  bytes += header;
  put_values(mapping.source_map().elements());
  if (mapping.target_map()) put_values(mapping.target_map()->elements());
  put_values(mapping.source_intercept());
  for (const Side side : {Side::source, Side::target})
    for (const auto& mean : mapping.normalizer(side).means()) put_values(mean);
  bytes += lexicon;
  Sha256 hash;
  hash.update(bytes.data(), bytes.size());
  const Sha256::Digest digest = hash.finish();
  put(digest.data(), digest.size());
  return bytes;
}

std::string describe_json(const Mapping& mapping, int indent) {
  Json header = header_to_json(mapping);
  if (mapping.lexicon) header["lexicon"] = {{"pairs", mapping.lexicon->pairs.size()}};
  if (mapping.reranker) header["reranker"] = Json::parse(describe_json(*mapping.reranker));
  return header_text(header, indent);
}

}  // namespace wordbridge
