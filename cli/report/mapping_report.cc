#include "cli/report/mapping_report.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "base/json.h"
#include "base/wording.h"
#include "linalg/lapack.h"
#include "mapping/mapping_format.h"
#include "mapping/space_identity.h"
#include "mapping/stored_lexicon.h"

namespace wordbridge::cli {

namespace {

std::string origin_line(const Mapping& mapping, Side side) {
  const VectorsOrigin& origin = mapping.provenance.origin(side);
  const std::string shape =
      fmt::format("dimension {}, normalization {}", mapping.input_dimension(side), mapping.normalizer(side).name());
  return origin.checksum.empty() ? shape : fmt::format("{}, {}, {}", origin.name, counted(origin.words, "word"), shape);
}

std::string map_line(const Matrix& map) {
  const std::vector<double> s = svd(to_double(map)).s;
  const bool orthogonal = std::abs(s.front() - 1) < 1e-4 && std::abs(s.back() - 1) < 1e-4;
  const char* kind = !orthogonal ? "" : map.rows() == map.cols() ? " (orthogonal)" : " (semi-orthogonal)";
  return fmt::format("{} x {}, singular values {:.4f} to {:.4f}{}", map.rows(), map.cols(), s.back(), s.front(), kind);
}

Json range_of(const Matrix& map) {
  const std::vector<double> s = svd(to_double(map)).s;
  return {{"min", s.back()}, {"max", s.front()}};
}

}  // namespace

std::string mapping_to_text(const Mapping& mapping, const std::string& name) {
  const Provenance& provenance = mapping.provenance;
  std::string text = fmt::format("{}: mapping, made by wordbridge {}\n", name, provenance.version);
  const auto line = [&](std::string_view label, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<15} {}\n", label, value);
  };
  line("method", provenance.method);
  std::string options, metrics;
  for (const auto& [key, value] : provenance.options)
    options += fmt::format("{}{}={}", options.empty() ? "" : " ", key, value);
  for (const auto& [key, value] : provenance.metrics)
    metrics += fmt::format("{}{}={:.6g}", metrics.empty() ? "" : " ", key, value);
  line("options", options);
  line("source", origin_line(mapping, Side::source));
  line("target", origin_line(mapping, Side::target));
  line("source map", map_line(mapping.source_map()));
  line("target map", mapping.target_map() ? map_line(*mapping.target_map()) : "none: the target side stays as it is");
  line("lexicon", provenance.lexicon);
  line("known pairs", mapping.lexicon
                          ? fmt::format("{}, carried by the mapping", counted(mapping.lexicon->pairs.size(), "pair"))
                      : provenance.lexicon.empty() ? ""
                                                   : "none: the mapping does not carry its lexicon");
  line("criterion", provenance.criterion);
  line("words", provenance.max_words == 0 ? "all" : fmt::format("the first {} of each file", provenance.max_words));
  line("seed", std::to_string(provenance.seed));
  line("metrics", metrics);
  line("source checksum", provenance.source.checksum);
  line("target checksum", provenance.target.checksum);
  if (const std::uint64_t space = space_identity(mapping); space != 0) line("common space", space_name(space));
  // A training's log is for programs.
  if (const std::string details = to_json(provenance.report); details != "{}")
    line("details", details.size() <= 200 ? details : "long: --json shows them");
  return text;
}

std::string mapping_to_json(const Mapping& mapping) {
  auto json = Json::parse(describe_json(mapping));
  json["source"]["singular_values"] = range_of(mapping.source_map());
  if (mapping.target_map()) json["target"]["singular_values"] = range_of(*mapping.target_map());
  return json.dump(2) + "\n";
}

}  // namespace wordbridge::cli
