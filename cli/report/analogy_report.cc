#include "cli/report/analogy_report.h"

#include <fmt/format.h>

#include <cassert>

#include "base/escaped_text.h"
#include "base/json.h"
#include "base/wording.h"

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

}  // namespace wordbridge
