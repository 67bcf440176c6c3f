#include <fmt/format.h>

#include "base/counted.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/options/table_format.h"
#include "cli/report/hubness_report.h"
#include "retrieval/criterion_registry.h"

namespace wordbridge::cli {

namespace {

/// How unevenly target words are chosen, by nearest neighbor and by a criterion that holds hubs back.
class EvaluateHubnessCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    arguments.heading("Hubs");
    arguments.number("-k,--neighbors", neighbors_, 1, 1 << 20,
                     "Targets that a source word chooses, and neighbors that csls looks at (default: 10)");
    arguments.choice("--criterion", criterion_, vector_criterion_names(),
                     "What to compare nearest neighbors with (default: csls)");
    arguments.number("--hubs", hubs_, 0, 1 << 20, "How many of the largest hubs to name (default: 10)");
    arguments.number("--queries", queries_, 0, UINT64_MAX, "Ask only the first N source words (default: all)");
    format_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    const CommonSpace space = inputs_.load(session, inputs_.open());
    std::vector<std::string> criteria = {"nn"};
    if (criterion_ != "nn") criteria.push_back(criterion_);
    std::vector<Hubness> results;
    for (const std::string& name : criteria) {
      const Stopwatch stopwatch;
      const auto criterion = make_criterion(name, space, {.neighbors = neighbors_});
      results.push_back(evaluate_hubness(*criterion, space, {.k = neighbors_, .hubs = hubs_, .max_words = queries_}));
      session.note(
          fmt::format("{}: {} asked ({})", name, counted(results.back().queries, "source word"), stopwatch.to_text()));
    }
    const Vocabulary &source = space.vocabulary(Side::source), &target = space.vocabulary(Side::target);
    if (format_.json()) {
      session.print(to_json(results, source, target));
      return ExitCode::success;
    }
    session.print(format_.render(to_table(results), fmt::format("N_{0}: how many source words have a target among "
                                                                "their {0} best; skewness and largest are of it\n",
                                                                neighbors_)));
    for (const Hubness& result : results)
      if (!result.hubs.empty()) session.print("\n" + format_.render(hubs_table(result, source, target)));
    return ExitCode::success;
  }

 private:
  MappedInputs inputs_;
  TableFormat format_;
  std::string criterion_ = "csls";
  std::uint64_t neighbors_ = 10, hubs_ = 10, queries_ = 0;
};

}  // namespace

CommandEntry evaluate_hubness_command() {
  return {"evaluate hubness", "How much some target words are near to everything, before and after CSLS",
          "  wordbridge evaluate hubness en-es.wbmap en.vec es.vec\n"
          "  wordbridge evaluate hubness en-es.wbmap en.vec es.vec --queries 10000 --hubs 20 --json\n"
          "  wordbridge evaluate hubness en.aligned.vec es.aligned.vec",
          make_command<EvaluateHubnessCommand>};
}

}  // namespace wordbridge::cli
