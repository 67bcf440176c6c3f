#include "cli/report/align_report.h"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <sstream>

#include "base/wording.h"
#include "cli/report/table.h"

namespace wordbridge::cli {

Interval wilson_interval(double percent, std::size_t count) {
  if (count == 0) return {0, 100};
  constexpr double z = 1.959964;  // of 95%
  const double n = static_cast<double>(count), p = percent / 100;
  const double center = p + z * z / (2 * n), reach = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {100 * (center - reach) / (1 + z * z / n), 100 * (center + reach) / (1 + z * z / n)};
}

std::string fit_line(const Mapping& mapping) {
  const auto& metrics = mapping.provenance.metrics;
  std::string line =
      fmt::format("{}: {} x {}", mapping.provenance.method, mapping.source_map().rows(), mapping.source_map().cols());
  if (const auto cosine = metrics.find("mean_cosine"); cosine != metrics.end())
    line += fmt::format(", mean cosine of the pairs {:.3f}", cosine->second);
  if (const auto zero = metrics.find("zero_pairs"); zero != metrics.end())
    line += fmt::format(", {} with a zero vector left out", counted(static_cast<std::uint64_t>(zero->second), "pair"));
  return line;
}

namespace {

/// What was gained, in one line.
std::string selection_line(const SelectionReport& selection) {
  const SelectionReport::Row &start = selection.rows.front(), &chosen = selection.rows[selection.chosen];
  if (!start.score || !chosen.score) return fmt::format("settings were chosen by {}", selection.score);
  const std::string settings =
      chosen.learning_rate == 0
          ? "the start itself: no training was better"
          : fmt::format("learning rate {:g}, {}, blend {:g}", chosen.learning_rate,
                        counted(static_cast<std::uint64_t>(chosen.epochs), "epoch"), chosen.blend);
  if (selection.words == 0)
    return fmt::format("{}: {:.4f} at the start, {:.4f} with {}", selection.score, *start.score, *chosen.score,
                       settings);
  const Interval interval = wilson_interval(*chosen.score, selection.words);
  return fmt::format("P@1 of {} held out: {:.1f} at the start, {:.1f} ({:.1f} to {:.1f}) with {}",
                     counted(selection.words, "word"), *start.score, *chosen.score, interval.low, interval.high,
                     settings);
}

std::vector<std::string> selection_lines(const SelectionReport& selection) {
  Table table{.columns = {{"learning rate", Table::Align::left}, {"epochs"}, {"blend"}, {"score"}, {""}}, .rows = {}};
  table.columns.back().align = Table::Align::left;
  for (const SelectionReport::Row& row : selection.rows) {
    const bool start = row.learning_rate == 0;
    table.rows.push_back({start ? "none: the start" : fmt::format("{:g}", row.learning_rate),
                          start ? "" : fmt::format("{}", row.epochs), start ? "" : fmt::format("{:g}", row.blend),
                          row.score ? fmt::format("{:.2f}", *row.score) : "diverged",
                          table.rows.size() == selection.chosen ? "chosen" : ""});
  }
  std::vector<std::string> lines = {fmt::format("settings tried, by {}:", selection.score)};
  std::istringstream text(table.to_text());
  for (std::string line; std::getline(text, line);) lines.push_back("  " + line);
  return lines;
}

std::vector<std::string> restart_lines(const RestartReport& restarts) {
  std::vector<std::string> lines = {
      fmt::format("{}, and the share of one half of the pairs that the other half predicts (by chance {:.0f}%):",
                  restarts.criterion, 100 * restarts.chance)};
  for (const RestartReport::Try& one : restarts.tries) {
    lines.push_back(fmt::format("  start {}: {:.4f}, {:.4f} after refinement, {:.0f}%", one.restart, one.score,
                                one.refined, 100 * one.agreement));
    if (one.validation) lines.back() += fmt::format(", P@1 {:.2f}", *one.validation);
  }
  return lines;
}

std::vector<std::string> round_lines(std::string_view name, std::span<const RefinementRound> rounds) {
  std::vector<std::string> lines;
  for (const RefinementRound& round : rounds)
    lines.push_back(fmt::format("{}, round {}: {}, {} of them as before, mean similarity {:.4f}", name,
                                lines.size() + 1, counted(round.pairs, "pair"), round.kept, round.mean_similarity));
  return lines;
}

std::string rerank_line(const RerankReport& rerank) {
  std::string found = fmt::format("P@1 {:.1f} by CSLS, {:.1f} re-ranked on {} words held out", rerank.csls,
                                  rerank.reranked, rerank.words);
  if (!rerank.without_spelling.empty())
    found += fmt::format("; spelling and frequency not used: {}", rerank.without_spelling);
  if (rerank.transferred > 0)
    return fmt::format("re-ranker: weights of other languages, with {} that the map finds{}",
                       counted(rerank.transferred, "pair"), rerank.words > 0 ? "; own weights: " + found : "");
  if (rerank.words == 0 && !rerank.without_spelling.empty())
    return fmt::format("re-ranker: none, because spelling says nothing here: {}", rerank.without_spelling);
  if (rerank.words == 0)
    return "re-ranker: none, because too few words are known to learn from, and no cognates are found to go by";
  if (rerank.one_translation)
    found += "; its words have one translation each, so what further ones look like is taken from other languages";
  if (rerank.untranslated > 0)
    found += fmt::format("; {} of equal strings beside other translations look untranslated (--copies learn)",
                         counted(rerank.untranslated, "pair"));
  return rerank.stored ? fmt::format("re-ranker: {}", found)
                       : fmt::format("re-ranker: none, because it does not help ({})", found);
}

std::vector<std::string> choice_lines(const ChoiceReport& choice, bool verbose) {
  const ChoiceReport::Row& chosen = choice.rows[choice.chosen];
  if (choice.words == 0)
    return {fmt::format("map: {}; the lexicon is too small to hold words out and try others", chosen.map)};
  std::vector<std::string> lines;
  for (const ChoiceReport::Row& row : choice.rows) {
    if (!verbose) break;
    lines.push_back(fmt::format("  {:.1f}%  {}{}", row.score, row.map,
                                &row == &choice.rows.front()
                                    ? std::string()
                                    : fmt::format(" (+{} -{} words, p {:.2g})", row.gained, row.lost, row.p_value)));
  }
  const std::string why =
      choice.chosen == 0
          ? choice.rows.size() == 2 ? fmt::format("{} is no better beyond chance", choice.rows[1].map)
                                    : fmt::format("none of {} others is better beyond chance", choice.rows.size() - 1)
          : fmt::format("better than {} beyond chance (p {:.2g})", choice.rows.front().map, chosen.p_value);
  lines.insert(lines.begin(),
               fmt::format("map: {}; {}, by CSLS on {} held-out words; P@1 of {:.0f} to {:.0f}% is to be "
                           "expected on words as rare as these, more on frequent ones",
                           chosen.map, why, choice.words, choice.expected_low, choice.expected_high));
  return lines;
}

std::vector<std::string> self_learning_lines(const SelfLearningReport& report) {
  std::vector<std::string> lines = round_lines("self-learning", report.rounds);
  if (report.identical > 0)
    lines.insert(
        lines.begin(),
        fmt::format("self-learning, first fit: the lexicon and {} words alike in both languages", report.identical));
  return lines;
}

}  // namespace

std::vector<std::string> report_lines(const AlignmentReport& report, bool verbose) {
  std::vector<std::string> lines;
  const auto add = [&](const std::vector<std::string>& more) { lines.insert(lines.end(), more.begin(), more.end()); };
  if (report.selection && verbose) add(selection_lines(*report.selection));
  if (report.selection) lines.push_back(selection_line(*report.selection));
  if (report.restarts) add(restart_lines(*report.restarts));
  if (report.choice) add(choice_lines(*report.choice, verbose));
  if (report.self_learning && (verbose || !report.choice)) add(self_learning_lines(*report.self_learning));
  add(round_lines("refinement", report.refinement));
  if (report.rerank) lines.push_back(rerank_line(*report.rerank));
  return lines;
}

}  // namespace wordbridge::cli
