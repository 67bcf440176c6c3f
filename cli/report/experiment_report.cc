#include "cli/report/experiment_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/paths.h"
#include "cli/report/experiment_tables.h"
#include "cli/report/html_page.h"
#include "cli/report/svg_chart.h"
#include "wordbridge/version.h"

namespace wordbridge::cli {

namespace {

using Json = nlohmann::ordered_json;

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

void add_experiment(HtmlPage& page, const ExperimentResult& result) {
  page.heading(2, result.experiment.title);
  if (!result.experiment.note.empty()) page.paragraph(result.experiment.note);
  if (result.experiment.figure && result.measured() > 0)
    page.figure(chart_of(result).to_svg(), "The measured values; the table below has the same.");
  page.table(to_table(result).to_html());
  page.paragraph(fmt::format("{} of {} measurements.", result.measured(), result.wanted()));
  if (!result.reasons.empty()) page.list(result.reasons);
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

std::string text_of(const Json& json) { return json.is_string() ? json.get<std::string>() : json.dump(); }

/// "folder/train.txt: 5 of 6 words" without the folder.
std::string without_folder(const std::string& line) {
  const std::size_t colon = line.find(": ");
  return colon == std::string::npos ? line : file_name(line.substr(0, colon)) + line.substr(colon);
}

Table provenance_table(const Json& provenance) {
  Table table{{{"provenance", Table::Align::left}, {"", Table::Align::left}}, {}};
  const auto add = [&](const std::string& name, const std::string& text) {
    if (!text.empty()) table.rows.push_back({name, text});
  };
  add("method", provenance.value("method", ""));
  const Json given = provenance.value("options", Json::object());
  std::string options;
  for (const auto& [name, value] : given.items())
    options += fmt::format("{}{} {}", options.empty() ? "" : ", ", name, text_of(value));
  add("options", options);
  for (const char* side : {"source", "target"})
    if (provenance.contains(side)) {
      const Json& origin = provenance[side];
      add(side, fmt::format("{}, {} words x {}, SHA-256 {}", file_name(origin.value("name", "")),
                            text_of(origin.value("words", Json(0))), text_of(origin.value("dimension", Json(0))),
                            origin.value("checksum", "").substr(0, 16)));
    }
  add("lexicon", without_folder(provenance.value("lexicon", "")));
  add("seed", provenance.contains("seed") ? text_of(provenance["seed"]) : "");
  add("version", provenance.value("version", ""));
  return table;
}

void add_loss(HtmlPage& page, const Json& details) {
  if (!details.contains("iterations") || details["iterations"].empty()) return;
  LineChart::Series accepted{"accepted steps", {}}, taken_back{"steps taken back", {}, false};
  for (const Json& iteration : details["iterations"]) {
    if (!iteration.contains("loss") || !iteration["loss"].is_number()) continue;
    auto& series = iteration.value("outcome", "accepted") == "accepted" ? accepted : taken_back;
    series.points.emplace_back(iteration.value("epoch", 0.0), iteration["loss"].get<double>());
  }
  LineChart chart{"Loss of the training by step", "step", "loss", false, {accepted}};
  if (!taken_back.points.empty()) chart.series.push_back(taken_back);
  page.begin_column();
  page.figure(chart.to_svg(), "The loss on the training pairs.");
  page.end_column();
}

/// Scores on the held-out words along the way from the start (0) to where each training ended (1).
void add_selection(HtmlPage& page, const Json& details) {
  if (!details.contains("selection")) return;
  const Json& selection = details["selection"];
  LineChart chart{"Score on held-out words by settings", "share of the way from the start", "score", false, {}};
  double start = 0;
  for (const Json& row : selection.at("rows")) {
    if (!row.at("score").is_number()) continue;
    const double rate = row.at("learning_rate").get<double>(), score = row.at("score").get<double>();
    if (rate == 0) {
      start = score;
      continue;
    }
    const std::string name = fmt::format("lr {:g}, {} steps", rate, text_of(row.at("epochs")));
    if (chart.series.empty() || chart.series.back().name != name) chart.series.push_back({name, {{0, start}}});
    chart.series.back().points.emplace_back(row.at("blend").get<double>(), score);
  }
  if (chart.series.empty()) return;
  page.begin_column();
  page.figure(chart.to_svg(), fmt::format("Settings tried: {}.", selection.value("score", "")));
  page.end_column();
}

/// "128-255" as "128+", which leaves room for the next.
std::string first_of_bin(const std::string& label) {
  const std::size_t dash = label.find('-');
  return dash == std::string::npos ? label : label.substr(0, dash) + "+";
}

void add_hubness(HtmlPage& page, const std::string& text) {
  if (text.empty()) return;
  const Json results = Json::parse(text);
  LogBarChart chart{
      "How often targets are chosen", "source words that have the target among their 10 best", "targets", {}, {}};
  Table table{
      {{"criterion", Table::Align::left}, {"skewness"}, {"largest"}, {"never chosen"}, {"hubs", Table::Align::left}},
      {}};
  for (const Json& result : results) {
    LogBarChart::Series series{result.at("criterion").get<std::string>(), {}};
    for (const Json& bin : result.at("histogram")) {
      if (series.counts.size() == chart.labels.size())
        chart.labels.push_back(first_of_bin(bin.at("occurrences").get<std::string>()));
      series.counts.push_back(bin.at("targets").get<std::size_t>());
    }
    chart.series.push_back(std::move(series));
    std::string hubs;
    for (const Json& hub : result.at("hubs")) hubs += (hubs.empty() ? "" : ", ") + hub.at("word").get<std::string>();
    table.rows.push_back({result.at("criterion").get<std::string>(),
                          fmt::format("{:.2f}", result.at("skewness").get<double>()), text_of(result.at("largest")),
                          fmt::format("{:.1f}%", result.at("never_percent").get<double>()), hubs});
  }
  page.begin_column();
  page.figure(chart.to_svg(), fmt::format("Hubness, asked for the {} most frequent source words.",
                                          text_of(results.at(0).at("source_words"))));
  page.table(table.to_html());
  page.end_column();
}

Table confident_table(const Json& list, const char* title, bool gold) {
  Table table{{{title, Table::Align::left}, {"translation", Table::Align::left}, {"score"}}, {}};
  if (gold) table.columns.push_back({"should be", Table::Align::left});
  for (const Json& entry : list) {
    std::vector<std::string> row = {entry.at("word").get<std::string>(), entry.at("translation").get<std::string>(),
                                    fmt::format("{:.3f}", entry.at("score").get<double>())};
    std::string should;
    for (const Json& word : entry.at("gold")) should += (should.empty() ? "" : ", ") + word.get<std::string>();
    if (gold) row.push_back(should);
    table.rows.push_back(std::move(row));
  }
  return table;
}

void add_run(HtmlPage& page, const ExperimentRun& run) {
  const Json header = Json::parse(run.mapping);
  const Json provenance = header.value("provenance", Json::object());
  Json details = provenance.value("details", Json::object());
  if (details.is_string()) details = Json::parse(details.get<std::string>(), nullptr, false);
  if (!details.is_object()) details = Json::object();
  page.heading(3, run.name);
  page.table(provenance_table(provenance).to_html());
  page.begin_columns();
  add_loss(page, details);
  add_selection(page, details);
  add_hubness(page, run.hubness);
  page.end_columns();
  for (const auto& [criterion, text] : run.translations) {
    const Json result = Json::parse(text);
    page.begin_columns();
    for (const bool right : {true, false}) {
      page.begin_column();
      const std::string title = fmt::format("{}, by {}", right ? "surest and right" : "surest and wrong", criterion);
      page.table(confident_table(result.at(right ? "right" : "wrong"), title.c_str(), !right).to_html());
      page.end_column();
    }
    page.end_columns();
  }
}

}  // namespace

std::string report_page(const std::vector<ExperimentResult>& results, const std::vector<ExperimentRun>& runs,
                        bool sample) {
  HtmlPage page("Loss in Translation, measured again");
  page.paragraph(fmt::format(
      "Tables and figures of Joulin et al., Loss in Translation (EMNLP 2018), measured with wordbridge {}. In "
      "each cell, the measured number comes first, the paper's in parentheses.",
      version()));
  if (sample)
    page.paragraph(
        "This is the small version of the experiments, on the sample that comes with wordbridge: small vectors and "
        "lexicons, hand-made sets of analogies and similarities, a few steps of training. It shows that everything "
        "works; its numbers say nothing about the methods.");
  for (const ExperimentResult& result : results) add_experiment(page, result);
  if (!runs.empty()) page.heading(2, "Mappings");
  for (const ExperimentRun& run : runs) add_run(page, run);
  page.heading(2, "Coverage of every number");
  page.table(coverage_table(results).to_html());
  return page.to_html();
}

}  // namespace wordbridge::cli
