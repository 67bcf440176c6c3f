#include "cli/report/mapping_sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "cli/paths.h"
#include "cli/report/svg_chart.h"

namespace wordbridge::cli {

namespace {

/// "folder/train.txt: 5 of 6 words" without the folder.
std::string without_folder(const std::string& line) {
  const std::size_t colon = line.find(": ");
  return colon == std::string::npos ? line : file_name(line.substr(0, colon)) + line.substr(colon);
}

std::string origin_text(const VectorsOrigin& origin) {
  return fmt::format("{}, {} words x {}, SHA-256 {}", file_name(origin.name), origin.words, origin.dimension,
                     origin.checksum.substr(0, 16));
}

void add_loss(HtmlPage& page, const AlignmentReport& report) {
  if (!report.iterations || report.iterations->empty()) return;
  LineChart::Series accepted{"accepted steps", {}}, taken_back{"steps taken back", {}, false};
  for (const TrainingStep& step : *report.iterations)
    if (std::isfinite(step.loss))
      (step.outcome == "accepted" ? accepted : taken_back).points.emplace_back(step.epoch, step.loss);
  LineChart chart{"Loss of the training by step", "step", "loss", false, {accepted}};
  if (!taken_back.points.empty()) chart.series.push_back(taken_back);
  page.begin_column();
  page.figure(chart.to_svg(), "The loss on the training pairs.");
  page.end_column();
}

/// Scores on the held-out words along the way from the start (0) to where each training ended (1).
void add_selection(HtmlPage& page, const AlignmentReport& report) {
  if (!report.selection) return;
  LineChart chart{"Score on held-out words by settings", "share of the way from the start", "score", false, {}};
  double start = 0;
  for (const SelectionReport::Row& row : report.selection->rows) {
    if (!row.score) continue;
    if (row.learning_rate == 0) {
      start = *row.score;
      continue;
    }
    const std::string name = fmt::format("lr {:g}, {} steps", row.learning_rate, row.epochs);
    if (chart.series.empty() || chart.series.back().name != name) chart.series.push_back({name, {{0, start}}});
    chart.series.back().points.emplace_back(row.blend, *row.score);
  }
  if (chart.series.empty()) return;
  page.begin_column();
  page.figure(chart.to_svg(), fmt::format("Settings tried: {}.", report.selection->score));
  page.end_column();
}

/// "128-255" as "128+", which leaves room for the next.
std::string first_of_bin(const std::string& label) {
  const std::size_t dash = label.find('-');
  return dash == std::string::npos ? label : label.substr(0, dash) + "+";
}

Table confident_table(const std::vector<ConfidentTranslation>& list, const std::string& title, bool gold) {
  Table table{{{title, Table::Align::left}, {"translation", Table::Align::left}, {"score"}}, {}};
  if (gold) table.columns.push_back({"should be", Table::Align::left});
  for (const ConfidentTranslation& entry : list) {
    std::vector<std::string> row = {entry.word, entry.translation, fmt::format("{:.3f}", entry.score)};
    if (gold) row.push_back(fmt::format("{}", fmt::join(entry.gold, ", ")));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Table provenance_table(const Provenance& provenance) {
  Table table{{{"provenance", Table::Align::left}, {"", Table::Align::left}}, {}};
  const auto add = [&](const std::string& name, const std::string& text) {
    if (!text.empty()) table.rows.push_back({name, text});
  };
  add("method", provenance.method);
  std::string options;
  for (const auto& [name, value] : provenance.options)
    options += fmt::format("{}{} {}", options.empty() ? "" : ", ", name, value);
  add("options", options);
  add("source", origin_text(provenance.source));
  add("target", origin_text(provenance.target));
  add("lexicon", without_folder(provenance.lexicon));
  add("seed", std::to_string(provenance.seed));
  add("version", provenance.version);
  return table;
}

void add_training(HtmlPage& page, const AlignmentReport& report) {
  add_loss(page, report);
  add_selection(page, report);
}

void add_hubness(HtmlPage& page, std::span<const HubnessRecord> records) {
  if (records.empty()) return;
  LogBarChart chart{
      "How often targets are chosen", "source words that have the target among their 10 best", "targets", {}, {}};
  Table table{
      {{"criterion", Table::Align::left}, {"skewness"}, {"largest"}, {"never chosen"}, {"hubs", Table::Align::left}},
      {}};
  for (const HubnessRecord& record : records) {
    LogBarChart::Series series{record.criterion, {}};
    for (const HubnessRecord::Bin& bin : record.histogram) {
      if (series.counts.size() == chart.labels.size()) chart.labels.push_back(first_of_bin(bin.occurrences));
      series.counts.push_back(bin.targets);
    }
    chart.series.push_back(std::move(series));
    table.rows.push_back({record.criterion, fmt::format("{:.2f}", record.skewness), std::to_string(record.largest),
                          fmt::format("{:.1f}%", record.never_percent),
                          fmt::format("{}", fmt::join(record.hubs, ", "))});
  }
  page.begin_column();
  page.figure(chart.to_svg(),
              fmt::format("Hubness, asked for the {} most frequent source words.", records.front().source_words));
  page.table(table.to_html());
  page.end_column();
}

void add_confident(HtmlPage& page, const std::string& criterion, const std::vector<ConfidentTranslation>& right,
                   const std::vector<ConfidentTranslation>& wrong) {
  page.begin_columns();
  page.begin_column();
  page.table(confident_table(right, "surest and right, by " + criterion, false).to_html());
  page.end_column();
  page.begin_column();
  page.table(confident_table(wrong, "surest and wrong, by " + criterion, true).to_html());
  page.end_column();
  page.end_columns();
}

}  // namespace wordbridge::cli
