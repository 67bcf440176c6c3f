// Mutual pairs of two whole vocabularies: the statistics of both sides from one pass, and its lists of nearest words
// instead of searches, against each direction by itself. That base has no two-sided pass at all, so the ratio is larger
// than what the program gained.
#include <string>
#include <vector>

#include "benchmarks/report.h"
#include "benchmarks/search_tables.h"
#include "retrieval/csls.h"
#include "space/unit_rows.h"
#include "wordbridge/common_space.h"
#include "wordbridge/induce_lexicon.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

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
  // A copy is no side of the space: it is searched for as any other vectors are, one side after the other.
  const Matrix source_copy = Matrix::copy_of(source.rows()), target_copy = tables.target;
  std::size_t apart = 0, together = 0;
  const CslsOptions full{.statistics = CslsOptions::Statistics::full};
  const auto times = best_times(
      {[&] {
         const Candidates forward = Csls(CommonSpace(source, target), full).best(source_copy, 2);
         apart = count_mutual(forward, Csls(CommonSpace(target, source), full).best(target_copy, 2));
       },
       [&] {
         together = induce_lexicon(CommonSpace(source, target), {.direction = InductionDirection::intersection}).size();
       }},
      rounds);
  if (apart != together) report.say("DIFFERENT numbers of pairs: " + std::to_string(apart));
  report.say(std::to_string(together) + " pairs");
  report.add(less_is_better("each direction by itself, in one-sided passes, vs both from one pass", times[0], times[1],
                            "s", 1.5));
  return report.finish();
}
