// Mutual pairs of two whole vocabularies: the statistics of both sides from one pass, and its lists of nearest words
// instead of searches, against each direction by itself, with a two-sided pass and a search of its own.
#include <string>
#include <vector>

#include "benchmarks/report.h"
#include "benchmarks/search_tables.h"
#include "retrieval/shifted_ranking.h"
#include "space/common_space_state.h"
#include "space/unit_rows.h"
#include "wordbridge/common_space.h"
#include "wordbridge/induce_lexicon.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

/// The two best targets of every source word, by a two-sided pass for the statistics and a search.
Candidates best_of_all(const CommonSpace& space) {
  CslsStatistics& statistics = space.state().csls(10);
  statistics.learn_both();
  const ShiftedRanking ranking(space.state().rows(Side::target), 2.0, statistics.of_all(Side::target));
  return ranking.best(space.table(Side::source), statistics.of_all(Side::source), 2);
}

std::size_t count_mutual(const Candidates& forward, const Candidates& backward) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < forward.queries; ++i)
    pairs += backward.targets_of(forward.targets_of(i).front()).front() == i;
  return pairs;
}

}  // namespace

int main(int argc, char** argv) {
  Report report("induction", "mutual best pairs by CSLS of two whole vocabularies", argc, argv);
  const SearchTableOptions options(report, 50'000);
  const std::size_t rounds = report.option("rounds", 2, "runs of which the fastest counts");
  report.check_options();
  const SearchTables tables = search_tables(options, report, 5000);
  const UnitRows source = UnitRows::take(mapped_sources(tables, report)), target = UnitRows::view(tables.target);
  std::size_t apart = 0, together = 0;
  const auto times = best_times(
      {[&] {
         const Candidates forward = best_of_all(CommonSpace(source, target));
         apart = count_mutual(forward, best_of_all(CommonSpace(target, source)));
       },
       [&] {
         together = induce_lexicon(CommonSpace(source, target), {.direction = InductionDirection::intersection}).size();
       }},
      rounds);
  if (apart != together) report.say("DIFFERENT numbers of pairs: " + std::to_string(apart));
  report.say(std::to_string(together) + " pairs");
  report.add(less_is_better("each direction by itself vs both from one pass", times[0], times[1], "s", 1.5));
  return report.finish();
}
