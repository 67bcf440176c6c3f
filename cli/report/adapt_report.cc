#include "cli/report/adapt_report.h"

#include <fmt/format.h>

#include <utility>

#include "base/json.h"
#include "base/wording.h"

namespace wordbridge {

Table adapt_table(const AdaptReport& report) {
  using Align = Table::Align;
  Table table;
  table.columns = {{"", Align::left},
                   {"map", Align::left},
                   {"settings", Align::left},
                   {"parameters"},
                   {"own first"},
                   {"95% interval"},
                   {fmt::format("old {} kept", report.neighbors)},
                   {"criterion"},
                   {"p"},
                   {"seconds"}};
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const AdaptReport::Row& row = report.rows[i];
    table.rows.push_back({i == report.chosen ? "*" : "", row.map, row.settings, std::to_string(row.parameters),
                          fmt::format("{:.1f}", row.own), fmt::format("{:.1f} to {:.1f}", row.own_low, row.own_high),
                          fmt::format("{:.1f}", row.kept), fmt::format("{:.1f}", row.score),
                          row.worse_p_value < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", row.worse_p_value),
                          fmt::format("{:.1f}", row.seconds)});
  }
  return table;
}

Table curve_table(const AdaptReport& report) {
  Table table;
  table.columns = {{"pairs"}, {"own first"}, {"95% interval"}, {fmt::format("old {} kept", report.neighbors)}};
  for (const AdaptReport::CurvePoint& point : report.curve)
    table.rows.push_back({std::to_string(point.pairs), fmt::format("{:.1f}", point.own),
                          fmt::format("{:.1f} to {:.1f}", point.own_low, point.own_high),
                          fmt::format("{:.1f}", point.kept)});
  return table;
}

std::string curve_note(const AdaptReport& report) {
  if (report.curve.size() < 2) return "too few pairs for a learning curve\n";
  const double gain = report.curve.back().own - report.curve[report.curve.size() - 2].own;
  return fmt::format(
      "the last doubling of the pairs brought {:+.1f} points of own item first: another one will hardly "
      "bring more\n",
      gain);
}

std::string adapt_note(const AdaptReport& report) {
  std::string note = fmt::format(
      "percent of {}, which no map has seen, by cosine among {}; settings were chosen on {} others; all {} are learned "
      "from at last\n",
      counted(report.compared_on, "held-out pair"), counted(report.ranked_among, "item"), report.tuned_on,
      counted(report.pairs, "pair"));
  if (report.rows.size() > 1)
    note += "* the simplest that the best is not ahead of beyond chance (p: of being behind the best by chance)\n";
  return note;
}

std::string adapt_json(const AdaptReport& report) {
  Json rows = Json::array();
  for (const AdaptReport::Row& row : report.rows)
    rows.push_back(Json{{"map", row.map},
                        {"settings", row.settings},
                        {"parameters", row.parameters},
                        {"own_first", row.own},
                        {"own_first_interval", Json::Array{row.own_low, row.own_high}},
                        {"neighbors_kept", row.kept},
                        {"criterion", row.score},
                        {"p_value", row.worse_p_value},
                        {"seconds", row.seconds}});
  Json curve = Json::array();
  for (const AdaptReport::CurvePoint& point : report.curve)
    curve.push_back(Json{{"pairs", point.pairs},
                         {"own_first", point.own},
                         {"own_first_interval", Json::Array{point.own_low, point.own_high}},
                         {"neighbors_kept", point.kept}});
  const Json json = {{"learning_curve", std::move(curve)},
                     {"maps", std::move(rows)},
                     {"chosen", report.rows[report.chosen].map},
                     {"pairs", report.pairs},
                     {"tuned_on", report.tuned_on},
                     {"compared_on", report.compared_on},
                     {"ranked_among", report.ranked_among},
                     {"neighbors", report.neighbors}};
  return json.dump(2);
}

}  // namespace wordbridge
