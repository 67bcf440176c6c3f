#include "cli/report/word_translation_report.h"

#include <fmt/format.h>

#include "base/escaped_text.h"
#include "base/json.h"
#include "base/wording.h"
#include "evaluation/result_json.h"

namespace wordbridge {

namespace {

Json precision_of(const WordTranslation::Shares& shares) { return Json::parse(to_json(shares)); }

Json difference_of(const PairedBootstrap& comparison) {
  return {{"words", comparison.words},
          {"first", rounded(comparison.first)},
          {"second", rounded(comparison.second)},
          {"difference", rounded(comparison.difference())},
          {"low", rounded(comparison.low)},
          {"high", rounded(comparison.high)},
          {"p_value", rounded(comparison.p_value)},
          {"only_first", comparison.only_first},
          {"only_second", comparison.only_second},
          {"samples", comparison.samples}};
}

Json comparison_of(const MeasuredTranslation& other) {
  Json object = {{"mapping", other.mapping},
                 {"criterion", other.result.criterion},
                 {"precision", precision_of(other.result.all)},
                 {"mrr_at_10", rounded(other.result.all.mrr_at_10)}};
  object.update(difference_of(other.difference.value()));
  return object;
}

std::string join(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : " | ") + escape_field(word);
  return result;
}

}  // namespace

Table to_table(const WordTranslation& result) {
  Table table;
  table.columns = {{"source words", Table::Align::left}, {"number"}};
  for (const std::size_t rank : WordTranslation::kRanks) table.columns.push_back({fmt::format("P@{}", rank)});
  table.columns.push_back({"MRR@10"});
  const auto add = [&](const char* name, const WordTranslation::Shares& shares) {
    std::vector<std::string> row = {name, std::to_string(shares.words)};
    for (const double share : shares.precision) row.push_back(fmt::format("{:.1f}", share));
    row.push_back(fmt::format("{:.1f}", shares.mrr_at_10));
    table.rows.push_back(std::move(row));
  };
  add("all", result.all);
  add("covered", result.covered);
  return table;
}

Table to_table(std::span<const FrequencyBand> bands) {
  Table table;
  table.columns = {{"frequency rank", Table::Align::left}, {"words"}, {"covered"}};
  for (const std::size_t rank : WordTranslation::kRanks) table.columns.push_back({fmt::format("P@{}", rank)});
  table.columns.push_back({"MRR@10"});
  for (const FrequencyBand& band : bands) {
    std::vector<std::string> row = {
        band.last == 0 ? fmt::format("{} and above", band.first) : fmt::format("{}-{}", band.first, band.last),
        std::to_string(band.all.words), std::to_string(band.covered.words)};
    for (const double share : band.all.precision) row.push_back(fmt::format("{:.1f}", share));
    row.push_back(fmt::format("{:.1f}", band.all.mrr_at_10));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string coverage_line(const WordTranslation& result) {
  return fmt::format("criterion {}; coverage {:.1f}%: {}\n", result.criterion, result.coverage_percent(),
                     result.coverage.to_line());
}

std::string to_json(std::span<const MeasuredTranslation> results, std::span<const FrequencyBand> bands) {
  Json object = Json::parse(to_json(results.front().result));
  for (const FrequencyBand& band : bands)
    object["bands"].push_back({{"first", band.first},
                               {"last", band.last == 0 ? Json() : Json(band.last)},
                               {"words", band.all.words},
                               {"covered", band.covered.words},
                               {"precision", precision_of(band.all)},
                               {"mrr_at_10", rounded(band.all.mrr_at_10)}});
  for (const MeasuredTranslation& other : results.subspan(1)) object["comparisons"].push_back(comparison_of(other));
  if (const auto& analysis = results.front().analysis) object["rerank"] = Json::parse(to_json(*analysis));
  return object.dump(2) + '\n';
}

Table to_table(const EntryScores& scores) {
  Table table;
  table.columns = {{"words with", Table::Align::left},
                   {"words"},
                   {"translations"},
                   {"named"},
                   {"right"},
                   {"precision"},
                   {"recall"},
                   {"F1"}};
  const auto add = [&](const std::string& name, const EntryScores::Group& group) {
    table.rows.push_back({name, std::to_string(group.words), std::to_string(group.known), std::to_string(group.named),
                          std::to_string(group.right), fmt::format("{:.1f}", group.precision()),
                          fmt::format("{:.1f}", group.recall()), fmt::format("{:.1f}", group.f1())});
  };
  for (const EntryScores::Group& group : scores.groups)
    if (group.words > 0)
      add(group.translations == 1           ? "one translation"
          : &group == &scores.groups.back() ? fmt::format("{} or more", group.translations)
                                            : fmt::format("{} translations", group.translations),
          group);
  add("all covered", scores.all);
  return table;
}

std::string entries_line(const EntryScores& scores) {
  const auto interval = [](const EntryScores::Interval& one) {
    return fmt::format("{:.1f} ({:.1f} to {:.1f})", one.value, one.low, one.high);
  };
  return fmt::format(
      "entries of candidates with p_translation from {:.2f} on: precision {}, recall {}, F1 {}; {:.1f} and {:.1f} were "
      "expected{}; average precision {}; recall {:.1f} where precision is 80%; calibration error of p_translation "
      "{:.1f}%; P@1 {:.1f}, and {:.1f} where another form of the right word counts\n",
      scores.balance.threshold, interval(scores.precision), interval(scores.recall), interval(scores.f1),
      scores.balance.precision, scores.balance.recall,
      scores.balance.words > 0 ? fmt::format(" by {} held-out words", scores.balance.words) : " by other languages",
      interval(scores.average_precision), scores.recall_at_80, scores.calibration_error, scores.first_right,
      scores.first_right_in_any_form);
}

std::string to_tsv(const WordTranslation& result) {
  const bool probable = result.entries.has_value();
  std::string text = "source\tstatus\trank\tgold\tpredictions\tscores";
  text += probable ? "\tp_translation\n" : "\n";
  for (const WordTranslation::Word& word : result.words) {
    const char* status = !word.covered ? "uncovered" : word.rank == 1 ? "right" : "wrong";
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{:.6f}", escape_field(word.word), status, word.rank, join(word.gold),
                        join(word.predictions), fmt::join(word.scores, " | "));
    if (probable) text += fmt::format("\t{:.6f}", fmt::join(word.p_translation, " | "));
    text += '\n';
  }
  return text;
}

Table comparison_table(std::span<const MeasuredTranslation> results) {
  Table table;
  table.columns = {{"mapping", Table::Align::left}, {"criterion", Table::Align::left}};
  for (const std::size_t rank : WordTranslation::kRanks) table.columns.push_back({fmt::format("P@{}", rank)});
  for (const char* heading : {"MRR@10", "difference", "95% interval", "p", "only before", "only after"})
    table.columns.push_back({heading});
  for (const MeasuredTranslation& one : results) {
    std::vector<std::string> row = {one.mapping, one.result.criterion};
    for (const double share : one.result.all.precision) row.push_back(fmt::format("{:.1f}", share));
    row.push_back(fmt::format("{:.1f}", one.result.all.mrr_at_10));
    if (const auto& difference = one.difference) {
      row.push_back(fmt::format("{:+.1f}", difference->difference()));
      row.push_back(fmt::format("{:+.1f} to {:+.1f}", difference->low, difference->high));
      row.push_back(fmt::format("{:.4f}", difference->p_value));
      row.push_back(std::to_string(difference->only_first));
      row.push_back(std::to_string(difference->only_second));
    }
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string comparison_note(std::span<const MeasuredTranslation> results) {
  const PairedBootstrap& difference = results.back().difference.value();
  return fmt::format(
      "over all {} source words; difference of P@1 to the first mapping by paired bootstrap, {} samples; only before "
      "and only after: words that only the first, only the other mapping has right\n",
      difference.words, difference.samples);
}

std::string comparison_line(const RerankAnalysis& analysis) {
  const PairedBootstrap& comparison = analysis.comparison;
  return fmt::format(
      "against csls in the same mapping: P@1 {:.1f} -> {:.1f}: {:+.1f} (95% interval {:+.1f} to {:+.1f}, p = {:.4f}); "
      "right only before {}, only after {} of {} words; paired bootstrap, {} samples\n",
      comparison.first, comparison.second, comparison.difference(), comparison.low, comparison.high, comparison.p_value,
      comparison.only_first, comparison.only_second, comparison.words, comparison.samples);
}

Table to_table(const RerankAnalysis& analysis) {
  Table table;
  table.columns = {{"source words of which", Table::Align::left}, {"number"}, {"P@1 by csls"}, {"P@1 re-ranked"}};
  for (std::size_t i = 0; i < analysis.reranked.size(); ++i) {
    const auto &after = analysis.reranked[i].shares, &before = analysis.csls[i].shares;
    table.rows.push_back({analysis.reranked[i].name, std::to_string(after.words),
                          fmt::format("{:.1f}", before.precision[0]), fmt::format("{:.1f}", after.precision[0])});
  }
  return table;
}

std::string to_json(const RerankAnalysis& analysis) {
  Json groups = Json::array();
  for (std::size_t i = 0; i < analysis.reranked.size(); ++i)
    groups.push_back({{"group", analysis.reranked[i].key},
                      {"words", analysis.reranked[i].shares.words},
                      {"precision_at_1", rounded(analysis.reranked[i].shares.precision[0])},
                      {"csls_precision_at_1", rounded(analysis.csls[i].shares.precision[0])}});
  return Json({{"groups", std::move(groups)}, {"comparison", difference_of(analysis.comparison)}}).dump();
}

}  // namespace wordbridge
