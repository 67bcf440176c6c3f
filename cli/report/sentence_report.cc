#include "cli/report/sentence_report.h"

#include <fmt/format.h>

#include <utility>

#include "base/wording.h"

namespace wordbridge {

Table to_table(const SentenceEvaluation& evaluation) {
  Table table;
  table.columns = {{"direction", Table::Align::left}, {"criterion", Table::Align::left}, {"queries"}, {"candidates"}};
  for (const std::size_t rank : SentenceTranslation::kRanks) {
    table.columns.push_back({fmt::format("P@{}", rank)});
    table.columns.push_back({"95%"});
  }
  for (const SentenceTranslation& result : evaluation.results) {
    std::vector<std::string> row = {result.asking == Side::source ? "source-target" : "target-source", result.criterion,
                                    std::to_string(result.queries), std::to_string(result.candidates)};
    for (const SentenceTranslation::Share& share : result.precision) {
      row.push_back(fmt::format("{:.1f}", share.percent));
      row.push_back(fmt::format("{:.1f}-{:.1f}", share.low, share.high));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string remark_of(const SentenceEvaluation& evaluation, std::string_view tokenization) {
  const SentenceTranslation &one = evaluation.results.front(), &other = evaluation.results.back();
  return fmt::format(
      "tokens are {}, weighted by {}{}; without a known word: {} source and {} target queries, {} and {} candidates\n",
      tokenization, counted(evaluation.idf_sentences, "sentence"),
      evaluation.idf_apart ? " apart" : ", the candidates among them", one.unknown_queries, other.unknown_queries,
      other.unknown_candidates, one.unknown_candidates);
}

}  // namespace wordbridge
