#include "cli/report/evaluation_report.h"

#include <fmt/format.h>

#include <cassert>
#include <optional>
#include <utility>

#include "base/escaped_text.h"
#include "base/json.h"
#include "base/wording.h"
#include "evaluation/result_json.h"

namespace wordbridge {

namespace {

using Score = Analogies::Score;

std::string accuracy_cell(std::size_t denominator, double percent) {
  return denominator == 0 ? "-" : fmt::format("{:.1f}", percent);
}

Json to_json(const Score& score) {
  Json object = {{"questions", score.questions}, {"covered", score.covered}, {"right", score.right}};
  object["accuracy"] = score.covered == 0 ? Json() : Json(rounded(score.accuracy()));
  object["accuracy_of_all"] = score.questions == 0 ? Json() : Json(rounded(score.accuracy_of_all()));
  return object;
}

}  // namespace

Table to_table(std::span<const AnalogiesInSpace> results) {
  assert(!results.empty());
  Table table;
  table.columns = {{"section", Table::Align::left}, {"questions"}, {"covered"}};
  for (const AnalogiesInSpace& one : results) table.columns.push_back({one.space});
  for (const AnalogiesInSpace& one : results) table.columns.push_back({one.space + ", all"});
  const auto add = [&](const std::string& name, const auto& score_of) {
    const Score first = score_of(results.front().result);
    std::vector<std::string> row = {name, std::to_string(first.questions), std::to_string(first.covered)};
    for (const AnalogiesInSpace& one : results) {
      const Score score = score_of(one.result);
      row.push_back(accuracy_cell(score.covered, score.accuracy()));
    }
    for (const AnalogiesInSpace& one : results) {
      const Score score = score_of(one.result);
      row.push_back(accuracy_cell(score.questions, score.accuracy_of_all()));
    }
    table.rows.push_back(std::move(row));
  };
  const auto& sections = results.front().result.sections;
  for (std::size_t i = 0; i < sections.size(); ++i)
    add(sections[i].name.empty() ? "(no section)" : sections[i].name,
        [&](const Analogies& result) { return result.sections[i].score; });
  add("semantic", [](const Analogies& result) { return result.semantic(); });
  add("syntactic", [](const Analogies& result) { return result.syntactic(); });
  add("total", [](const Analogies& result) { return result.total(); });
  return table;
}

std::string to_json(std::span<const AnalogiesInSpace> results, AnalogyMethod method) {
  assert(!results.empty());
  Json object = {{"method", name_of(method)},
                 {"words", results.front().result.words},
                 {"case_matched", results.front().result.case_matched},
                 {"spaces", Json::object()}};
  for (const AnalogiesInSpace& one : results) {
    Json sections = Json::array();
    for (const Analogies::Section& section : one.result.sections) {
      Json entry = {{"name", section.name}, {"syntactic", section.syntactic}};
      entry.update(to_json(section.score));
      sections.push_back(std::move(entry));
    }
    object["spaces"][one.space] = {{"semantic", to_json(one.result.semantic())},
                                   {"syntactic", to_json(one.result.syntactic())},
                                   {"total", to_json(one.result.total())},
                                   {"sections", std::move(sections)}};
  }
  return object.dump(2) + '\n';
}

std::string to_tsv(std::span<const AnalogiesInSpace> results, const AnalogyQuestions& questions,
                   const Vocabulary& vocabulary) {
  std::string text = "section\ta\tb\tc\td";
  for (const AnalogiesInSpace& one : results) text += fmt::format("\t{}\t{} answer", one.space, one.space);
  text += '\n';
  for (std::size_t i = 0; i < questions.sections.size(); ++i) {
    const auto& section = questions.sections[i];
    for (std::size_t j = 0; j < section.questions.size(); ++j) {
      text += escape_field(section.name);
      for (const std::string& word : section.questions[j]) text += '\t' + escape_field(word);
      for (const AnalogiesInSpace& one : results) {
        const Analogies::Answer& answer = one.result.sections[i].answers[j];
        text += fmt::format("\t{}\t{}",
                            !answer.covered  ? "uncovered"
                            : answer.right() ? "right"
                                             : "wrong",
                            answer.given ? escape_field(vocabulary[*answer.given]) : "");
      }
      text += '\n';
    }
  }
  return text;
}

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
