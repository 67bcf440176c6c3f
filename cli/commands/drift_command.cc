#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "cli/report/drift_report.h"
#include "cli/translation_writer.h"
#include "evaluation/drift.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// The words whose neighbors changed most between two tables of one language.
class DriftCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    older_.declare(arguments, "old", "Vectors of a language at one time, or of one domain", "--old-vocabulary");
    newer_.declare(arguments, "new", "Vectors of the same language at another time, or of another domain",
                   "--new-vocabulary");
    arguments.heading("Words");
    arguments.number("-n,--count", count_, 0, Arguments::kMost,
                     "Words to show, those that changed most; 0 for all that both tables have (default: 20)");
    arguments.number("-k,--neighbors", neighbors_, 1, 1000, "Neighbors of each, before and after (default: 10)");
    arguments.number("--like-words", like_words_, 10, Arguments::kMost,
                     "Words of like frequency that a word is compared with (default: 1000)");
    arguments.number("--false-discoveries", false_discoveries_,
                     "The share of them among the words that count as changed (default: 0.05)");
    format_.declare(arguments);
    options_.declare(arguments, "200000");
  }

  ExitCode run(Session& session) override {
    if (!(false_discoveries_ > 0 && false_discoveries_ < 1))
      throw UsageError("--false-discoveries: a share between 0 and 1 is wanted");
    require_one_standard_input({older_.path, newer_.path});
    refuse_overwriting(format_.output(), std::vector<std::string>{older_.path, older_.vocabulary, older_.ids,
                                                                  newer_.path, newer_.vocabulary, newer_.ids});
    const auto older_dimension = dimension_ahead(older_, options_), newer_dimension = dimension_ahead(newer_, options_);
    if (older_dimension && newer_dimension && *older_dimension != *newer_dimension)
      throw UsageError(
          fmt::format("vectors of dimensions {} and {} cannot be compared", *older_dimension, *newer_dimension));
    TextOutput output(session, format_.output());
    const WordVectors older = load_vectors(session, older_, options_, kUsualWords);
    const WordVectors newer = load_vectors(session, newer_, options_, kUsualWords);
    const Stopwatch stopwatch;
    const Drift drift = find_drift(
        older, newer,
        {.count = count_, .neighbors = neighbors_, .like_words = like_words_, .false_discoveries = false_discoveries_});
    session.note(
        fmt::format("{} compared by a fit of {}, median cosine {:.3f}; {} changed, {:.0f}% of them or fewer by "
                    "chance ({})",
                    counted(drift.shared, "word"), counted(drift.rounds, "round"), drift.median_cosine,
                    drift.significant, 100 * false_discoveries_, stopwatch.to_text()));
    output.write(to_text(drift));
    output.finish();
    return ExitCode::success;
  }

 private:
  std::string to_text(const Drift& drift) const {
    switch (format_.style()) {
      case ListFormat::Style::json:
        return to_json(drift);
      case ListFormat::Style::csv:
        return fields_table(drift).to_csv(format_.formulas());
      case ListFormat::Style::people:
        return to_table(drift).to_text();
      case ListFormat::Style::tsv:
        break;
    }
    const Table table = fields_table(drift);
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i) text += (i > 0 ? "\t" : "") + table.columns[i].heading;
    for (const auto& row : table.rows) text += "\n" + fmt::format("{}", fmt::join(row, "\t"));
    return text + "\n";
  }

  VectorFile older_, newer_;
  VectorOptions options_;
  ListFormat format_;
  std::uint64_t count_ = 20, neighbors_ = 10, like_words_ = 1000;
  double false_discoveries_ = 0.05;
};

}  // namespace

CommandEntry drift_command() {
  return {
      "drift", "The words whose neighbors changed most between two times or domains",
      "  wordbridge drift 1900.vec 2000.vec\n"
      "  wordbridge drift news.vec law.vec --count 0 -o changed.tsv\n"
      "Both tables are of one language. p is the chance of a word that did not change to lie as far from where the\n"
      "others bring it, by the words of like frequency; q is the share of false discoveries up to that word.",
      make_command<DriftCommand>};
}

}  // namespace wordbridge::cli
