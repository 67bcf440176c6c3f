#include "cli/report/similarity_report.h"

#include <fmt/format.h>

#include <cassert>

#include <optional>
#include "base/json.h"
#include "base/wording.h"

namespace wordbridge {

namespace {

using Value = std::optional<double>;

/// A correlation and its name.
struct Measure {
  const char* name;
  Value Similarity::*value;
};
constexpr Measure kMeasures[] = {{"Spearman", &Similarity::spearman}, {"Pearson", &Similarity::pearson}};

std::string correlation_cell(Value value) { return value ? fmt::format("{:.3f}", *value) : "-"; }

Json correlation_json(Value value) { return value ? Json(rounded(*value)) : Json(); }

/// Over the sets that have a value.
Value mean(std::span<const SimilarityOfSet> sets, std::size_t space, const Measure& measure) {
  double sum = 0, count = 0;
  for (const SimilarityOfSet& set : sets)
    if (const Value value = set.results[space].result.*measure.value) {
      sum += *value;
      ++count;
    }
  return count == 0 ? std::nullopt : Value(sum / count);
}

}  // namespace

Table to_table(std::span<const SimilarityOfSet> sets) {
  assert(!sets.empty());
  Table table;
  table.columns = {{"set", Table::Align::left}, {"pairs"}, {"found"}};
  for (const Measure& measure : kMeasures)
    for (const auto& one : sets.front().results)
      table.columns.push_back({fmt::format("{}, {}", measure.name, one.space)});
  const auto add = [&](const std::string& name, std::size_t pairs, std::size_t found, const auto& value_of) {
    std::vector<std::string> row = {name, std::to_string(pairs), std::to_string(found)};
    for (const Measure& measure : kMeasures)
      for (std::size_t space = 0; space < sets.front().results.size(); ++space)
        row.push_back(correlation_cell(value_of(space, measure)));
    table.rows.push_back(std::move(row));
  };
  std::size_t pairs = 0, found = 0;
  for (const SimilarityOfSet& set : sets) {
    const Similarity& first = set.results.front().result;
    add(set.set, first.pairs, first.found,
        [&](std::size_t space, const Measure& measure) { return set.results[space].result.*measure.value; });
    pairs += first.pairs;
    found += first.found;
  }
  if (sets.size() > 1)
    add("mean", pairs, found, [&](std::size_t space, const Measure& measure) { return mean(sets, space, measure); });
  return table;
}

std::string to_json(std::span<const SimilarityOfSet> sets) {
  Json list = Json::array();
  for (const SimilarityOfSet& set : sets) {
    const Similarity& first = set.results.front().result;
    Json entry = {{"set", set.set},
                  {"pairs", first.pairs},
                  {"found", first.found},
                  {"case_matched", first.case_matched},
                  {"averaged", first.averaged},
                  {"spaces", Json::object()}};
    for (const auto& one : set.results)
      entry["spaces"][one.space] = {{"spearman", correlation_json(one.result.spearman)},
                                    {"pearson", correlation_json(one.result.pearson)}};
    list.push_back(std::move(entry));
  }
  return list.dump(2) + '\n';
}

}  // namespace wordbridge
