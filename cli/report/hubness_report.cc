#include "cli/report/hubness_report.h"

#include <fmt/format.h>

#include "base/json.h"
#include "evaluation/result_json.h"

namespace wordbridge {

Table to_table(std::span<const Hubness> results) {
  Table table;
  table.columns = {
      {"criterion", Table::Align::left}, {"source words"}, {"targets"}, {"skewness"}, {"largest"}, {"never chosen"}};
  for (const Hubness& result : results)
    table.rows.push_back({result.criterion, std::to_string(result.queries), std::to_string(result.targets),
                          fmt::format("{:.2f}", result.skewness), std::to_string(result.largest()),
                          fmt::format("{:.1f}%", result.never_percent())});
  return table;
}

Table hubs_table(const Hubness& result, const Vocabulary& source, const Vocabulary& target) {
  Table table;
  table.columns = {{fmt::format("hubs by {}", result.criterion), Table::Align::left},
                   {fmt::format("N_{}", result.k)},
                   {"chosen by", Table::Align::left}};
  for (const Hubness::Hub& hub : result.hubs) {
    std::string choosers;
    for (const WordId word : hub.chosen_by) choosers += (choosers.empty() ? "" : " ") + std::string(source[word]);
    if (hub.chosen_by.size() < hub.occurrences) choosers += " ...";
    table.rows.push_back({std::string(target[hub.target]), std::to_string(hub.occurrences), choosers});
  }
  return table;
}

std::string to_json(std::span<const Hubness> results, const Vocabulary& source, const Vocabulary& target) {
  Json list = Json::array();
  for (const Hubness& result : results) list.push_back(Json::parse(to_json(result, source, target)));
  return list.dump(2) + '\n';
}

}  // namespace wordbridge
