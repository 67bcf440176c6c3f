#include "cli/report/mapping_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "cli/paths.h"
#include "cli/report/align_report.h"
#include "cli/report/html_page.h"
#include "cli/report/mapping_findings.h"
#include "cli/report/svg_chart.h"
#include "cli/report/word_translation_report.h"
#include "wordbridge/version.h"

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

namespace {

constexpr std::size_t kSurest = 15;          // translations that are shown
constexpr std::size_t kWordsForAPoint = 10;  // of a band, to be drawn

std::string name_of_criterion(const std::string& criterion) {
  if (criterion == "nn") return "nearest neighbor";
  if (criterion == "csls") return "CSLS";
  if (criterion == "rerank") return "the re-ranker";
  return criterion;
}

void add_findings(HtmlPage& page, const MappingFindings& findings) {
  if (!findings.translations.empty()) {
    const WordTranslation& best = findings.best();
    const double precision = best.all.precision[0];
    const Interval interval = wilson_interval(precision, best.all.words);
    page.headline(fmt::format("{:.1f}%", precision),
                  fmt::format("of {} test words are translated right by {} (P@1; 95% interval {:.1f} to {:.1f})",
                              best.all.words, name_of_criterion(best.criterion), interval.low, interval.high));
    page.paragraph(fmt::format("{:.1f}% have a right translation among the ten best. Coverage: {}.",
                               best.all.precision[2], best.coverage.to_line()));
  }
  page.paragraph("What to try next:");
  page.list(advice(findings));
}

Table criteria_table(const MappingFindings& findings) {
  Table table{{{"ranked by", Table::Align::left}, {"P@1"}, {"P@5"}, {"P@10"}, {"MRR@10"}, {"P@1 of the covered"}}, {}};
  for (const auto& [result, bands] : findings.translations) {
    std::vector<std::string> row = {name_of_criterion(result.criterion)};
    for (const double share : result.all.precision) row.push_back(fmt::format("{:.1f}", share));
    row.push_back(fmt::format("{:.1f}", result.all.mrr_at_10));
    row.push_back(fmt::format("{:.1f}", result.covered.precision[0]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// P@1 over the rank at which a band ends; the last band has an end, too.
LineChart bands_chart(const MappingFindings& findings) {
  LineChart chart{"P@1 by frequency", "frequency rank of the source word, up to", "P@1 in percent", true, {}};
  for (const auto& [result, bands] : findings.translations) {
    LineChart::Series series{name_of_criterion(result.criterion), {}};
    for (const FrequencyBand& band : bands)
      if (band.all.words >= kWordsForAPoint)
        series.points.emplace_back(static_cast<double>(band.last), band.all.precision[0]);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

void add_translation(HtmlPage& page, const MappingFindings& findings) {
  page.heading(2, "Word translation");
  page.table(criteria_table(findings).to_html());
  if (!findings.word_map.empty())
    page.figure(findings.word_map,
                "Frequent words that are translated right, and their translations, in the plane in which they differ "
                "most.");
  page.begin_columns();
  page.begin_column();
  page.figure(bands_chart(findings).to_svg(), "Rare words have poorer vectors, and are harder to translate.");
  page.end_column();
  page.begin_column();
  page.table(to_table(findings.translations.back().bands).to_html());
  page.end_column();
  page.end_columns();
  if (findings.rerank) {
    page.paragraph("How much of the re-ranker's gain is spelling:");
    page.table(to_table(*findings.rerank).to_html());
    page.paragraph(comparison_line(*findings.rerank));
  }
}

void add_reliability(HtmlPage& page, const Reliability& reliability) {
  page.heading(2, "Are the probabilities true?");
  LineChart::Series measured{"words of the test", {}}, ideal{"as it should be", {{0, 0}, {100, 100}}};
  Table table{{{"probability", Table::Align::left}, {"words"}, {"said"}, {"right"}}, {}};
  for (std::size_t i = 0; i < reliability.bins.size(); ++i) {
    const Reliability::Bin& bin = reliability.bins[i];
    if (bin.words == 0) continue;
    measured.points.emplace_back(bin.probability, bin.right);
    table.rows.push_back({fmt::format("{} to {}%", 10 * i, 10 * (i + 1)), std::to_string(bin.words),
                          fmt::format("{:.1f}%", bin.probability), fmt::format("{:.1f}%", bin.right)});
  }
  page.begin_columns();
  page.begin_column();
  page.figure(
      LineChart{"Reliability", "probability in percent", "right in percent", false, {measured, ideal}}.to_svg(),
      fmt::format("Expected calibration error: {:.1f} points over {} words.", reliability.error, reliability.words));
  page.end_column();
  page.begin_column();
  page.table(table.to_html());
  page.end_column();
  page.end_columns();
}

void add_entries(HtmlPage& page, const EntryScores& scores) {
  page.heading(2, "Whole entries");
  page.paragraph("All translations of a word instead of one: what 'translate --entry' and 'induce --entries' give.");
  LineChart::Series measured{"candidates of the test", {}}, ideal{"as it should be", {{0, 0}, {100, 100}}};
  for (const EntryScores::Bin& bin : scores.bins)
    if (bin.candidates > 0) measured.points.emplace_back(bin.probability, bin.right);
  page.begin_columns();
  page.begin_column();
  page.figure(
      LineChart{"Reliability of p_translation", "probability in percent", "right in percent", false, {measured, ideal}}
          .to_svg(),
      fmt::format("Expected calibration error: {:.1f} points.", scores.calibration_error));
  page.end_column();
  page.begin_column();
  page.table(to_table(scores).to_html());
  page.end_column();
  page.end_columns();
  page.paragraph(entries_line(scores));
}

/// The kinds of map that were tried on held-out words.
Table choice_table(const ChoiceReport& choice) {
  Table table{{{"kind of map", Table::Align::left}, {"P@1 held out"}, {"gained"}, {"lost"}, {"p"}, {""}}, {}};
  for (std::size_t i = 0; i < choice.rows.size(); ++i) {
    const ChoiceReport::Row& row = choice.rows[i];
    table.rows.push_back({row.map, fmt::format("{:.1f}", row.score), i == 0 ? "" : std::to_string(row.gained),
                          i == 0 ? "" : std::to_string(row.lost), i == 0 ? "" : fmt::format("{:.2g}", row.p_value),
                          i == choice.chosen ? "chosen" : ""});
  }
  return table;
}

void add_origin(HtmlPage& page, const MappingFindings& findings) {
  const AlignmentReport& report = findings.provenance.report;
  page.heading(2, "How it was learned");
  page.table(provenance_table(findings.provenance).to_html());
  const std::vector<std::string> lines = report_lines(report, false);
  if (!lines.empty()) page.list(lines);
  if (report.choice && report.choice->words > 0) page.table(choice_table(*report.choice).to_html());
  page.begin_columns();
  add_training(page, report);
  page.end_columns();
  page.paragraph(fmt::format("This page was made by wordbridge {}:", version()));
  page.command(findings.command);
}

}  // namespace

std::string mapping_page(const MappingFindings& findings) {
  const Provenance& provenance = findings.provenance;
  HtmlPage page(fmt::format("{}: {} to {}", file_name(findings.mapping), file_name(provenance.source.name),
                            file_name(provenance.target.name)));
  add_findings(page, findings);
  if (!findings.translations.empty()) {
    add_translation(page, findings);
    page.heading(2, "Confident, right and wrong");
    add_confident(page, findings.best().criterion, confident_translations(findings.best(), true, kSurest),
                  confident_translations(findings.best(), false, kSurest));
    if (findings.reliability) add_reliability(page, *findings.reliability);
    if (const auto& entries = findings.best().entries) add_entries(page, *entries);
  }
  page.heading(2, "Hubs");
  page.paragraph(
      "Targets that are near to everything are wrong for most. CSLS holds them back: fewer are chosen very often, and "
      "fewer are never chosen.");
  page.begin_columns();
  add_hubness(page, findings.hubness);
  page.end_columns();
  add_origin(page, findings);
  return page.to_html();
}

}  // namespace wordbridge::cli
