#include "cli/align_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "wordbridge/evaluation/table.h"

namespace wordbridge::cli {

namespace {

nlohmann::json details_of(const Provenance& provenance) {
  nlohmann::json details = nlohmann::json::parse(provenance.details, nullptr, false);
  return details.is_object() ? details : nlohmann::json::object();
}

}  // namespace

std::string fit_line(const Mapping& mapping) {
  const auto& metrics = mapping.provenance.metrics;
  std::string line =
      fmt::format("{}: {} x {}", mapping.provenance.method, mapping.source_map().rows(), mapping.source_map().cols());
  if (const auto cosine = metrics.find("mean_cosine"); cosine != metrics.end())
    line += fmt::format(", mean cosine of the pairs {:.3f}", cosine->second);
  if (const auto zero = metrics.find("zero_pairs"); zero != metrics.end())
    line += fmt::format(", {:.0f} pairs with a zero vector left out", zero->second);
  return line;
}

std::vector<std::string> warnings_of(const Provenance& provenance) {
  const nlohmann::json details = details_of(provenance);
  std::vector<std::string> warnings;
  if (details.contains("warnings"))
    for (const auto& warning : details["warnings"])
      if (warning.is_string()) warnings.push_back(warning.get<std::string>());
  return warnings;
}

std::vector<std::string> selection_lines(const Provenance& provenance) {
  const nlohmann::json details = details_of(provenance);
  if (!details.contains("selection")) return {};
  const nlohmann::json& selection = details["selection"];
  Table table{.columns = {{"learning rate", Table::Align::left}, {"epochs"}, {"blend"}, {"score"}, {""}}, .rows = {}};
  table.columns.back().align = Table::Align::left;
  const auto chosen = selection.at("chosen").get<std::size_t>();
  for (const nlohmann::json& row : selection.at("rows")) {
    const double rate = row.at("learning_rate").get<double>();
    const bool start = rate == 0;
    table.rows.push_back(
        {start ? "none: the start" : fmt::format("{:g}", rate),
         start ? "" : fmt::format("{}", row.at("epochs").get<int>()),
         start ? "" : fmt::format("{:g}", row.at("blend").get<double>()),
         row.at("score").is_number() ? fmt::format("{:.2f}", row.at("score").get<double>()) : "diverged",
         table.rows.size() == chosen ? "chosen" : ""});
  }
  std::vector<std::string> lines = {fmt::format("settings tried, by {}:", selection.at("score").get<std::string>())};
  std::istringstream text(table.to_text());
  for (std::string line; std::getline(text, line);) lines.push_back("  " + line);
  return lines;
}

std::vector<std::string> restart_lines(const Provenance& provenance) {
  const nlohmann::json details = details_of(provenance);
  if (!details.contains("restarts")) return {};
  std::vector<std::string> lines = {
      fmt::format("{}, and the share of one half of the pairs that the other half predicts (by chance {:.0f}%):",
                  details.at("criterion").get<std::string>(), 100 * details.at("chance").get<double>())};
  for (const nlohmann::json& row : details["restarts"]) {
    lines.push_back(fmt::format("  start {}: {:.4f}, {:.4f} after refinement, {:.0f}%", row.at("restart").get<int>(),
                                row.at("score").get<double>(), row.at("refined").get<double>(),
                                100 * row.at("agreement").get<double>()));
    if (row.contains("validation")) lines.back() += fmt::format(", P@1 {:.2f}", row.at("validation").get<double>());
  }
  return lines;
}

std::vector<std::string> refinement_lines(const Provenance& provenance) {
  const nlohmann::json details = details_of(provenance);
  std::vector<std::string> lines;
  if (details.contains("refinement"))
    for (const nlohmann::json& round : details["refinement"])
      lines.push_back(fmt::format("refinement, round {}: {} pairs, {} of them as before, mean similarity {:.4f}",
                                  lines.size() + 1, round.at("pairs").get<std::size_t>(),
                                  round.at("kept").get<std::size_t>(), round.at("mean_similarity").get<double>()));
  return lines;
}

}  // namespace wordbridge::cli
