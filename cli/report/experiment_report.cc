#include "cli/report/experiment_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/wording.h"
#include "cli/report/experiment_tables.h"
#include "cli/report/html_page.h"
#include "cli/report/mapping_page.h"
#include "cli/report/svg_chart.h"
#include "wordbridge/version.h"

namespace wordbridge::cli {

namespace {

/// Rows are curves over the columns, whose names are numbers.
LineChart chart_of(const ExperimentResult& result) {
  const Experiment& experiment = result.experiment;
  LineChart chart{
      experiment.title, experiment.figure->x_title, experiment.figure->y_title, experiment.figure->logarithmic, {}};
  for (std::size_t i = 0; i < experiment.rows.size(); ++i) {
    LineChart::Series series{experiment.rows[i].name, {}};
    for (std::size_t j = 0; j < experiment.columns.size(); ++j)
      if (const auto value = result.cells[i][j].value)
        series.points.emplace_back(std::stod(experiment.columns[j].name), *value);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// The mean of what was measured in a row.
std::optional<double> mean_of(const ExperimentResult& result, std::size_t row) { return average_of(result, row).value; }

/// Of each column the cells with the largest value, where there are several to choose from.
std::vector<Table::Cell> best_cells(const ExperimentResult& result) {
  const std::size_t columns = result.experiment.columns.size();
  const auto value = [&](std::size_t i, std::size_t j) {
    return j < columns ? result.cells[i][j].value : mean_of(result, i);
  };
  std::vector<Table::Cell> best;
  for (std::size_t j = 0; j < columns + (result.experiment.average.empty() ? 0 : 1); ++j) {
    std::vector<std::pair<double, std::size_t>> values;
    for (std::size_t i = 0; i < result.cells.size(); ++i)
      if (const auto one = value(i, j)) values.emplace_back(*one, i);
    if (values.size() < 2) continue;
    const double largest = std::ranges::max(values).first;
    for (const auto& [one, i] : values)
      if (one == largest) best.emplace_back(i, j + 1);
  }
  return best;
}

void add_experiment(HtmlPage& page, const ExperimentResult& result) {
  page.heading(2, result.experiment.title);
  if (!result.experiment.note.empty()) page.paragraph(result.experiment.note);
  if (result.experiment.figure && result.measured() > 0)
    page.figure(chart_of(result).to_svg(), "The measured values; the table below has the same.");
  page.table(to_table(result).to_html(best_cells(result)));
  std::vector<std::string> others;
  for (const ExperimentResult::Reason& reason : result.reasons)
    if (reason.missing_file.empty()) others.push_back(reason.text);
  page.paragraph(fmt::format("{} of {} measurements.{}", result.measured(), result.wanted(),
                             others.size() < result.reasons.size() ? " Files are missing: see the list below." : ""));
  if (!others.empty()) page.list(others);
}

/// A row for each experiment: how much of it was measured, and which of its rows has the highest mean.
Table summary_table(const std::vector<ExperimentResult>& results) {
  Table table{{{"experiment", Table::Align::left},
               {"measured"},
               {"best row", Table::Align::left},
               {"its mean"},
               {"the paper's"}},
              {}};
  for (const ExperimentResult& result : results) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < result.cells.size(); ++i)
      if (mean_of(result, i) > mean_of(result, best)) best = i;  // nothing is less than any number
    const RowAverage average = average_of(result, best);
    const auto number = [&](std::optional<double> value) {
      return value ? fmt::format("{:.{}f}", *value, result.experiment.decimals) : "-";
    };
    table.rows.push_back({result.experiment.title, fmt::format("{} of {}", result.measured(), result.wanted()),
                          average.value ? result.experiment.rows[best].name : "-", number(average.value),
                          number(average.paper)});
  }
  return table;
}

/// Files that are missing, each once, with the experiments that want it.
void add_missing_files(HtmlPage& page, const std::vector<ExperimentResult>& results) {
  std::map<std::string, std::vector<std::string>> wanted;
  for (const ExperimentResult& result : results)
    for (const ExperimentResult::Reason& reason : result.reasons)
      if (!reason.missing_file.empty()) wanted[reason.missing_file].push_back(result.experiment.name);
  if (wanted.empty()) return;
  page.heading(2, "Missing files");
  std::vector<std::string> lines;
  lines.reserve(wanted.size());
  for (const auto& [file, experiments] : wanted)
    lines.push_back(fmt::format("{}, for {}", file, fmt::join(experiments, ", ")));
  page.list(lines);
}

/// The coverage of every cell that was measured.
Table coverage_table(const std::vector<ExperimentResult>& results) {
  Table table{{{"experiment", Table::Align::left},
               {"row", Table::Align::left},
               {"column", Table::Align::left},
               {"measured"},
               {"coverage", Table::Align::left}},
              {}};
  for (const ExperimentResult& result : results)
    for (std::size_t i = 0; i < result.cells.size(); ++i)
      for (std::size_t j = 0; j < result.cells[i].size(); ++j)
        if (const ExperimentResult::Cell& cell = result.cells[i][j]; cell.value)
          table.rows.push_back({result.experiment.name, result.experiment.rows[i].name,
                                result.experiment.columns[j].name,
                                fmt::format("{:.{}f}", *cell.value, result.experiment.decimals), cell.coverage});
  return table;
}

void add_mapping(HtmlPage& page, const MeasuredMapping& mapping) {
  page.heading(3, mapping.name);
  page.table(provenance_table(mapping.provenance).to_html());
  page.begin_columns();
  add_training(page, mapping.provenance.report);
  add_hubness(page, mapping.hubness);
  page.end_columns();
  for (const auto& [criterion, record] : mapping.translations)
    add_confident(page, criterion, record.right, record.wrong);
}

/// What to type for the same results. The page does not depend on its own name.
std::string command_line(const ReportOrigin& origin) {
  std::string line = fmt::format("wordbridge reproduce {} --data {}", fmt::join(origin.experiments, " "), origin.data);
  if (origin.sample) line += " --sample";
  if (origin.seed != ReportOrigin().seed) line += fmt::format(" --seed {}", origin.seed);
  return line + " --report report.html";
}

void add_summary(HtmlPage& page, const std::vector<ExperimentResult>& results, const ReportOrigin& origin) {
  std::size_t measured = 0, wanted = 0;
  for (const ExperimentResult& result : results) measured += result.measured(), wanted += result.wanted();
  page.headline(fmt::format("{} of {}", measured, wanted),
                fmt::format("measurements of {}", counted(results.size(), "experiment")));
  page.paragraph(fmt::format(
      "Tables and figures of Joulin et al., Loss in Translation (EMNLP 2018), measured with wordbridge {}. In "
      "each cell, the measured number comes first, the paper's in parentheses; the best measured number of a column is "
      "in bold.",
      version()));
  if (origin.sample)
    page.paragraph(
        "This is the small version of the experiments, on the sample that comes with wordbridge: small vectors and "
        "lexicons, hand-made sets of analogies and similarities, a few steps of training. It shows that everything "
        "works; its numbers say nothing about the methods.");
  page.table(summary_table(results).to_html());
  page.paragraph("How it was run:");
  page.command(command_line(origin));
}

}  // namespace

std::string report_page(const std::vector<ExperimentResult>& results, const ReportOrigin& origin) {
  HtmlPage page("Loss in Translation, measured again");
  add_summary(page, results, origin);
  for (const ExperimentResult& result : results) add_experiment(page, result);
  const std::vector<MeasuredMapping> mappings = merged_mappings(results);
  if (!mappings.empty()) page.heading(2, "Mappings");
  for (const MeasuredMapping& mapping : mappings) add_mapping(page, mapping);
  add_missing_files(page, results);
  page.heading(2, "Coverage of every number");
  page.table(coverage_table(results).to_html());
  return page.to_html();
}

}  // namespace wordbridge::cli
