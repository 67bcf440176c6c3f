#include "cli/measures/hubness_measure.h"

#include <fmt/format.h>

#include <vector>

#include "base/wording.h"
#include "cli/options/arguments.h"
#include "cli/report/hubness_report.h"
#include "wordbridge/criterion.h"

namespace wordbridge::cli {

void HubnessMeasure::declare(Arguments& arguments) {
  arguments.heading("Hubs");
  arguments.number("--hubs", hubs, 0, 1 << 20, "How many of the largest hubs to name (default: 10)");
  arguments.number("--queries", queries, 0, UINT64_MAX, "Ask only the first N source words (default: all)");
}

void HubnessMeasure::run(Session& session, const CommonSpace& space, const TableFormat& format) const {
  std::vector<std::string> criteria = {"nn"};
  if (criterion != "nn") criteria.push_back(criterion);
  std::vector<Hubness> results;
  for (const std::string& name : criteria) {
    const Stopwatch stopwatch;
    const auto ranking = make_criterion(name, space, {.neighbors = neighbors});
    results.push_back(evaluate_hubness(*ranking, space, {.k = neighbors, .hubs = hubs, .max_words = queries}));
    session.note(
        fmt::format("{}: {} asked ({})", name, counted(results.back().queries, "source word"), stopwatch.to_text()));
  }
  const Vocabulary &source = space.vocabulary(Side::source), &target = space.vocabulary(Side::target);
  if (format.json()) {
    session.print(to_json(results, source, target));
    return;
  }
  session.print(format.render(to_table(results), fmt::format("N_{0}: how many source words have a target among "
                                                             "their {0} best; skewness and largest are of it\n",
                                                             neighbors)));
  for (const Hubness& result : results)
    if (!result.hubs.empty()) session.print("\n" + format.render(hubs_table(result, source, target)));
}

}  // namespace wordbridge::cli
