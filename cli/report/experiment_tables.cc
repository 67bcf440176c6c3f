#include "cli/report/experiment_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/wording.h"

namespace wordbridge {

namespace {

std::string decimal(std::optional<double> value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::string both(std::optional<double> value, std::optional<double> paper, int decimals) {
  return paper ? fmt::format("{} ({})", decimal(value, decimals), decimal(paper, decimals)) : decimal(value, decimals);
}

Json json_number(std::optional<double> value) { return value ? Json(rounded(*value)) : Json(); }

bool has_paper(const Experiment& experiment) {
  return std::ranges::any_of(experiment.rows, [](const Experiment::Line& row) {
    return std::ranges::any_of(row.paper, [](const auto& value) { return value.has_value(); });
  });
}

}  // namespace

Table to_table(const ExperimentResult& result) {
  const Experiment& experiment = result.experiment;
  Table table;
  table.columns = {{has_paper(experiment) ? "measured (paper)" : "measured", Table::Align::left}};
  for (const Experiment::Line& column : experiment.columns) table.columns.push_back({column.name});
  if (!experiment.average.empty()) table.columns.push_back({experiment.average});
  for (std::size_t i = 0; i < experiment.rows.size(); ++i) {
    const Experiment::Line& line = experiment.rows[i];
    std::vector<std::string> row = {line.name};
    for (std::size_t j = 0; j < experiment.columns.size(); ++j)
      row.push_back(both(result.cells[i][j].value, line.paper[j], experiment.decimals));
    if (!experiment.average.empty()) {
      const RowAverage average = average_of(result, i);
      row.push_back(both(average.value, average.paper, experiment.decimals));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table to_long_table(const ExperimentResult& result) {
  const Experiment& experiment = result.experiment;
  Table table;
  table.columns = {{"experiment", Table::Align::left},
                   {"row", Table::Align::left},
                   {"column", Table::Align::left},
                   {"measured"},
                   {"paper"},
                   {"coverage", Table::Align::left}};
  const auto cell = [](std::optional<double> value) { return value ? fmt::format("{:.6g}", *value) : std::string(); };
  for (std::size_t i = 0; i < experiment.rows.size(); ++i)
    for (std::size_t j = 0; j < experiment.columns.size(); ++j)
      table.rows.push_back({experiment.name, experiment.rows[i].name, experiment.columns[j].name,
                            cell(result.cells[i][j].value), cell(experiment.rows[i].paper[j]),
                            result.cells[i][j].coverage});
  return table;
}

std::string to_json(const ExperimentResult& result) {
  const Experiment& experiment = result.experiment;
  Json object = {{"name", experiment.name}, {"title", experiment.title}, {"note", experiment.note}};
  Json columns = Json::array(), rows = Json::array();
  for (const Experiment::Line& column : experiment.columns) columns.push_back(column.name);
  for (std::size_t i = 0; i < experiment.rows.size(); ++i) {
    Json cells = Json::array();
    for (std::size_t j = 0; j < experiment.columns.size(); ++j) {
      const ExperimentResult::Cell& cell = result.cells[i][j];
      cells.push_back({{"measured", json_number(cell.value)},
                       {"paper", json_number(experiment.rows[i].paper[j])},
                       {"coverage", cell.coverage},
                       {"measurements", cell.measured},
                       {"wanted", cell.wanted}});
    }
    Json row = {{"name", experiment.rows[i].name}, {"cells", std::move(cells)}};
    if (!experiment.average.empty()) {
      const RowAverage average = average_of(result, i);
      row["average"] = {
          {"measured", json_number(average.value)}, {"paper", json_number(average.paper)}, {"cells", average.cells}};
    }
    rows.push_back(std::move(row));
  }
  object["columns"] = std::move(columns);
  object["rows"] = std::move(rows);
  object["reasons"] = Json::array();
  for (const ExperimentResult::Reason& reason : result.reasons) object["reasons"].push_back(reason.text);
  return object.dump(2) + '\n';
}

std::string notes_of(const ExperimentResult& result) {
  std::string text = result.experiment.note.empty() ? "" : result.experiment.note + '\n';
  text += fmt::format("{} of {} measurements\n", result.measured(), result.wanted());
  for (const ExperimentResult::Reason& reason : result.reasons) text += "  " + reason.text + '\n';
  return text;
}

}  // namespace wordbridge
