#include <fmt/format.h>

#include <optional>

#include "base/atomic_file.h"
#include "base/counted.h"
#include "cli/commands/command.h"
#include "cli/evaluated_spaces.h"
#include "cli/options/arguments.h"
#include "cli/options/table_format.h"
#include "cli/paths.h"
#include "cli/report/analogy_report.h"

namespace wordbridge::cli {

namespace {

/// Analogies answered by vectors as they are and as a mapping makes them.
class EvaluateAnalogyCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments);
    arguments.list("questions", files_, 1, Arguments::kMostFiles, "questions...",
                   "Files of questions: Google's format, or tab-separated");
    arguments.heading("Questions");
    arguments.choice("--method", method_, {"3cosadd", "3cosmul"}, "How answers are chosen (default: 3cosadd)");
    arguments.number("--vocabulary-limit", limit_, 0, UINT64_MAX,
                     "Questions and answers among the first N words, 0 for all (default: all that are read)");
    arguments.choice("--case", case_policy_, {"exact", "lower", "title"},
                     "What to try for words not found as written (default: lower)");
    format_.declare(arguments);
    arguments.text("--details", details_, "FILE", "Write the answer to each question (tab-separated)");
  }

  ExitCode run(Session& session) override {
    std::vector<std::string> all = inputs_.paths();
    all.insert(all.end(), files_.begin(), files_.end());
    refuse_overwriting(details_, all);
    std::optional<AtomicFile> details;
    if (!details_.empty()) details.emplace(details_);
    inputs_.open();
    const AnalogyQuestions questions = read_questions(session);
    const std::vector<NamedSpace> spaces = inputs_.load(session);

    const AnalogyOptions options = {.method = method_ == "3cosmul" ? AnalogyMethod::cos_mul : AnalogyMethod::cos_add,
                                    .max_words = limit_,
                                    .case_policy = parse_case_policy(case_policy_)};
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
    session.print(format_.json() ? to_json(results, options.method) : format_.render(to_table(results), note(results)));
    return ExitCode::success;
  }

 private:
  AnalogyQuestions read_questions(Session& session) const {
    AnalogyQuestions questions;
    for (const std::string& file : files_) {
      AnalogyQuestions more = read_analogy_questions(file, inputs_.options().lenient);
      session.note(fmt::format("{}: {} in {}", file, counted(more.size(), "question"),
                               counted(more.sections.size(), "section")));
      if (more.skipped_lines > 0)
        session.warn(fmt::format("{} skipped, first: {}", counted(more.skipped_lines, "line"), more.first_skipped));
      questions.append(std::move(more));
    }
    return questions;
  }

  std::string note(const std::vector<AnalogiesInSpace>& results) const {
    const Analogies& result = results.front().result;
    const Analogies::Score total = result.total();
    return fmt::format(
        "{} among {}; accuracy in % of the {} covered questions, then of all {}{}\n", method_,
        counted(result.words, "word"), total.covered, total.questions,
        result.case_matched == 0 ? "" : fmt::format("; {} with words found in another case", result.case_matched));
  }

  SpaceInputs inputs_;
  TableFormat format_;
  std::vector<std::string> files_;
  std::string method_ = "3cosadd", case_policy_ = "lower", details_;
  std::uint64_t limit_ = 0;
};

}  // namespace

CommandEntry evaluate_analogy_command() {
  return {"evaluate analogy", "Analogies answered by vectors as they are and as a mapping makes them",
          "  wordbridge evaluate analogy en.vec questions-words.txt\n"
          "  wordbridge evaluate analogy en.vec questions-words.txt --mapping en-es.wbmap\n"
          "  wordbridge evaluate analogy de.vec semantic.tsv syntactic.tsv --mapping en-de.wbmap --side target --json",
          make_command<EvaluateAnalogyCommand>};
}

}  // namespace wordbridge::cli
