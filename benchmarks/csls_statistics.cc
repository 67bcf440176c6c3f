#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/report.h"
#include "benchmarks/search_tables.h"
#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "retrieval/csls/csls.h"
#include "search/blas_search.h"
#include "search/int8/int8_table.h"
#include "search/int8_search.h"
#include "search/kernels/kernel_choice.h"
#include "search/two_sided_search.h"
#include "space/unit_rows.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

constexpr std::size_t kNeighbors = 10;

/// Seconds of a search for all rows, if each takes as long as those of a sample.
double by_sample(const NeighborSearch& search, ConstMatrixView queries, std::size_t sample, std::size_t rounds) {
  const ConstMatrixView some = queries.slice(0, std::min(sample, queries.rows()));
  return best_times({[&] { keep(search.search(some, kNeighbors)); }}, rounds)[0] / static_cast<double>(some.rows()) *
         static_cast<double>(queries.rows());
}

/// Seconds of the products of codes alone, compared with thresholds of both sides that nothing reaches: the roof of a
/// two-sided pass with this kernel.
double products_alone(ConstMatrixView source, ConstMatrixView target, std::size_t rounds) {
  constexpr std::size_t kBlock = 1024, kPanels = 4;
  constexpr float kUnreached = 1e30f;
  const Int8Table table(target, kernels(), TableLayout::plain);
  std::vector<Int8Queries> blocks;
  for (std::size_t begin = 0; begin < source.rows(); begin += kBlock)
    blocks.push_back(table.encode(source.slice(begin, std::min(begin + kBlock, source.rows()))));
  const std::vector<float> row_thresholds(kPanels * kPanelRows, kUnreached);
  return best_times({[&] {
                      ThreadPool::current().for_chunks(blocks.size(), 1, [&](std::size_t b, std::size_t, int) {
                        const Int8Queries& queries = blocks[b];
                        const std::vector<float> thresholds(queries.padded_count(), kUnreached),
                            factors(queries.padded_count(), 1.0f);
                        std::vector<RowCandidate*> candidates(queries.padded_count());
                        std::vector<std::uint32_t> counts(queries.padded_count());
                        std::size_t pairs = 0;
                        for (std::size_t panel = 0; panel < table.panels(); panel += kPanels) {
                          FilterJob job =
                              table.job(queries, thresholds.data(), panel, std::min(panel + kPanels, table.panels()));
                          job.candidates = candidates.data();
                          job.candidate_count = counts.data();
                          job.row_threshold = row_thresholds.data();
                          job.query_factor = factors.data();
                          job.pair_count = &pairs;
                          kernels().filter->filter(job);
                        }
                      });
                    }},
                    rounds)[0];
}

}  // namespace

int main(int argc, char** argv) {
  Report report("csls_statistics", "the means over neighborhoods that CSLS needs, on both sides or where needed", argc,
                argv);
  const SearchTableOptions options(report, 200'000);
  const std::size_t both = report.option("both-sides", 50'000, "rows of a table for both sides at once, at most");
  const std::size_t sample = report.option("sample", 1536, "queries by which one-sided searches are timed");
  const std::size_t asked = report.option("queries", 1500, "words that are translated");
  const std::size_t rounds = report.option("rounds", 3, "runs of which the fastest counts");
  report.check_options();

  SearchTables tables = search_tables(options, report, 5000);
  tables.source = mapped_sources(tables, report);
  const ConstMatrixView source = tables.source, target = tables.target;
  report.say(fmt::format("{} x {} rows, d = {}, {} threads, kernels {}", source.rows(), target.rows(), source.cols(),
                         ThreadPool::current().size(), kernel_name()));

  const ConstMatrixView few_sources = source.slice(0, std::min(both, source.rows()));
  const ConstMatrixView few_targets = target.slice(0, std::min(both, target.rows()));
  const double base = by_sample(BlasSearch(few_targets), few_sources, sample, rounds) +
                      by_sample(BlasSearch(few_sources), few_targets, sample, rounds);
  const double int8 = by_sample(Int8Search(few_targets), few_sources, sample, rounds) +
                      by_sample(Int8Search(few_sources), few_targets, sample, rounds);
  const double ours = best_times({[&] { keep(two_sided_search(few_sources, few_targets, kNeighbors)); }},
                                 std::min<std::size_t>(2, rounds))[0];
  const std::string sizes = fmt::format("{} x {}", few_sources.rows(), few_targets.rows());
  report.add(less_is_better(sizes + ": two BLAS passes vs both sides at once", base, ours, "s", 5));
  report.add(less_is_better(sizes + ": two int8 passes vs both sides at once", int8, ours, "s"));
  const TwoSidedNeighbors before = two_sided_search(few_sources, few_targets, kNeighbors);
  const double warm =
      best_times({[&] { keep(two_sided_search(few_sources, few_targets, kNeighbors, kernels(), &before)); }}, 1)[0];
  report.add(less_is_better(sizes + ": two BLAS passes vs both sides at once, warm", base, warm, "s"));
  report.add(less_is_better(sizes + ": two BLAS passes vs products of codes alone (the roof)", base,
                            products_alone(few_sources, few_targets, std::min<std::size_t>(2, rounds)), "s"));

  const ConstMatrixView queries =
      source.slice(std::min(source.rows() / 40, source.rows()), std::min(source.rows() / 40 + asked, source.rows()));
  const auto translate = [&](CslsOptions::Statistics statistics) {
    return Csls(CommonSpace(UnitRows::view(source), UnitRows::view(target)),
                {.neighbors = kNeighbors, .statistics = statistics})
        .best(queries, kNeighbors);
  };
  Candidates full, lazy;
  const std::vector<double> times = best_times({[&] { full = translate(CslsOptions::Statistics::full); },
                                                [&] { lazy = translate(CslsOptions::Statistics::lazy); }},
                                               1);
  if (full.targets != lazy.targets || full.scores != lazy.scores) {
    report.say("lazy and full CSLS differ: this is a bug");
    return 1;
  }
  report.add(less_is_better(
      fmt::format("CSLS of {} queries, {} x {}: all vs lazy", queries.rows(), source.rows(), target.rows()), times[0],
      times[1], "s", 4));
  return report.finish();
}
