// How soon long work ends after Context::cancel().
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/report.h"
#include "benchmarks/search_tables.h"
#include "space/unit_rows.h"
#include "wordbridge/common_space.h"
#include "wordbridge/context.h"
#include "wordbridge/criterion.h"
#include "wordbridge/error.h"
#include "wordbridge/induce_lexicon.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

/// Seconds from cancelling, `after` seconds into the work, to its end; 0 where it had ended before.
double seconds_to_end(const std::function<void()>& work, double after) {
  Context context;
  const Context::Scope scope(context);
  double cancelled = 0;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(after));
    cancelled = seconds();
    context.cancel();
  });
  double ended = 0;
  try {
    work();
  } catch (const Cancelled&) {
    ended = seconds();
  }
  other.join();
  return ended == 0 ? 0 : ended - cancelled;
}

}  // namespace

int main(int argc, char** argv) {
  Report report("cancellation", "how soon long work ends after it is cancelled", argc, argv);
  const SearchTableOptions options(report, 200'000);
  const std::size_t moments = report.option("moments", 12, "moments at which each kind of work is cancelled");
  report.check_options();
  const SearchTables tables = search_tables(options, report, 5000);
  const auto fresh = [&] { return CommonSpace(UnitRows::view(tables.source), UnitRows::view(tables.target)); };
  const auto ask = [&](const char* criterion, std::size_t words) {
    return [&, criterion, words] {
      keep(make_criterion(criterion, fresh())->best(tables.source.view().slice(0, words), 10).found);
    };
  };
  const std::vector<std::pair<std::string, std::function<void()>>> works = {
      {"nearest neighbors of all words", ask("nn", tables.source.rows())},
      {"CSLS of all words", ask("csls", tables.source.rows())},
      {"CSLS of 1,500 words", ask("csls", std::min<std::size_t>(1500, tables.source.rows()))},
      {"inverted softmax of 1,500 words", ask("isf", std::min<std::size_t>(1500, tables.source.rows()))},
      {"globally corrected ranks of 1,500 words", ask("gc", std::min<std::size_t>(1500, tables.source.rows()))},
      {"mutual pairs", [&] { keep(induce_lexicon(fresh(), {.direction = InductionDirection::intersection}).size()); }},
  };
  for (const auto& [name, work] : works) {
    double longest = 0;
    for (std::size_t i = 0; i < moments; ++i)
      longest = std::max(longest, seconds_to_end(work, 0.05 + 0.23 * static_cast<double>(i)));
    report.add(less_is_better("100 ms vs " + name, 0.1, longest, "s", 1));
  }
  return report.finish();
}
