#include "cli/measures/analogy_measure.h"

#include <fmt/format.h>

#include <utility>

#include "base/wording.h"
#include "cli/options/arguments.h"
#include "cli/report/analogy_report.h"

namespace wordbridge::cli {

namespace {

std::string analogy_note(const Analogies& result, const std::string& method) {
  const Analogies::Score total = result.total();
  return fmt::format(
      "{} among {}; accuracy in % of the {} covered questions, then of all {}{}\n", method,
      counted(result.words, "word"), total.covered, total.questions,
      result.case_matched == 0 ? "" : fmt::format("; {} with words found in another case", result.case_matched));
}

}  // namespace

void AnalogyMeasure::declare(Arguments& arguments) {
  arguments.heading("Questions");
  arguments.choice("--method", method, {"3cosadd", "3cosmul"}, "How answers are chosen (default: 3cosadd)");
  arguments.number("--vocabulary-limit", limit, 0, UINT64_MAX,
                   "Questions and answers among the first N words, 0 for all (default: all that are read)");
}

AnalogyQuestions AnalogyMeasure::read(Session& session, bool lenient) const {
  AnalogyQuestions questions;
  for (const std::string& file : files) {
    AnalogyQuestions more = read_analogy_questions(file, lenient);
    session.note(
        fmt::format("{}: {} in {}", file, counted(more.size(), "question"), counted(more.sections.size(), "section")));
    if (more.skipped_lines > 0)
      session.warn(fmt::format("{} skipped, first: {}", counted(more.skipped_lines, "line"), more.first_skipped));
    questions.append(std::move(more));
  }
  return questions;
}

void AnalogyMeasure::run(Session& session, const AnalogyQuestions& questions, const std::vector<NamedSpace>& spaces,
                         const TableFormat& format, std::optional<AtomicFile>& details) const {
  const AnalogyOptions options = {.method = method == "3cosmul" ? AnalogyMethod::cos_mul : AnalogyMethod::cos_add,
                                  .max_words = limit,
                                  .case_policy = parse_case_policy(case_policy)};
  std::vector<AnalogiesInSpace> results;
  for (const auto& [name, space] : spaces) {
    const Stopwatch stopwatch;
    results.push_back({name, evaluate_analogies(questions, space, options)});
    session.note(fmt::format("{}: {} answered ({})", name, counted(results.back().result.total().covered, "question"),
                             stopwatch.to_text()));
  }
  if (details) {
    details->write(to_tsv(results, questions, spaces.front().space.vocabulary(Side::source)));
    details->commit();
  }
  session.print(format.json() ? to_json(results, options.method)
                              : format.render(to_table(results), analogy_note(results.front().result, method)));
}

}  // namespace wordbridge::cli
