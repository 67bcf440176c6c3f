#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "benchmarks/report.h"
#include "benchmarks/search_tables.h"
#include "optimize/constraint.h"
#include "optimize/rcsls_objective.h"
#include "optimize/subgradient.h"
#include "search/blas_search.h"
#include "search/int8_search.h"
#include "search/kernels/kernel_choice.h"
#include "search/warm_start/warm_start_search.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

constexpr std::size_t kNeighbors = 10;

/// One search of training.
struct Call {
  Matrix queries;
  std::vector<std::uint32_t> slots;
};

/// Answers, and keeps what it was asked.
class Recorder : public MovingSearch {
 public:
  explicit Recorder(const Int8Search& search) : warm_(search) {}
  Neighbors search(ConstMatrixView queries, std::span<const std::uint32_t> slots, std::size_t k) override {
    calls.push_back({Matrix::copy_of(queries), {slots.begin(), slots.end()}});
    return warm_.search(queries, slots, k);
  }
  std::span<const float> row(std::uint32_t id) const override { return warm_.row(id); }
  std::size_t dimension() const override { return warm_.dimension(); }
  std::uint64_t saved_scans() const override { return warm_.saved_scans(); }

  std::vector<Call> calls;

 private:
  WarmStartSearch warm_;
};

/// The searches of a training by RCSLS with this learning rate, over both tables.
struct Training {
  Training(const SearchTables& tables, const Int8Search& over_source, const Int8Search& over_target,
           double learning_rate, int iterations)
      : source(over_source), target(over_target) {
    const TrainingPairs words(tables.source, tables.target, tables.pairs);
    const auto term = make_neighbor_term("mean");
    const auto constraint = make_constraint("none");
    RcslsObjective objective(words, target, source, *term, kNeighbors);
    ProjectedSubgradient optimizer(objective, *constraint, {.learning_rate = learning_rate, .epochs = 1000});
    OptimizerState state = optimizer.start(procrustes_map(tables));
    while (source.calls.size() < static_cast<std::size_t>(iterations) && !optimizer.finished(state))
      optimizer.step(state);
  }

  Recorder source, target;
};

struct Replay {
  double seconds = 0;
  std::uint64_t queries = 0, saved_scans = 0;
  std::string shares;  // of scans saved in each call, in percent
};

/// All searches once more, each from what the one before left.
Replay replay(const std::vector<Call>& calls, const Int8Search& search) {
  Replay result;
  WarmStartSearch warm(search);
  for (const Call& call : calls) {
    const double start = seconds();
    keep(warm.search(call.queries, call.slots, kNeighbors));
    result.seconds += seconds() - start;
    result.queries += call.slots.size();
    result.saved_scans += warm.saved_scans();
    result.shares += fmt::format(" {}", 100 * warm.saved_scans() / call.slots.size());
  }
  return result;
}

/// Seconds that all searches of a training take, if each query takes as long as those of a sample.
double by_sample(const NeighborSearch& search, const std::vector<Call>& calls, std::size_t sample, std::size_t rounds) {
  std::size_t queries = 0;
  for (const Call& call : calls) queries += call.slots.size();
  const Matrix& first = calls.front().queries;
  const ConstMatrixView some = first.view().slice(0, std::min(sample, first.rows()));
  const double seconds = best_times({[&] { keep(search.search(some, kNeighbors)); }}, rounds)[0];
  return seconds / static_cast<double>(some.rows()) * static_cast<double>(queries);
}

}  // namespace

int main(int argc, char** argv) {
  Report report("moving_search", "all searches of a training by RCSLS, both sides", argc, argv);
  const SearchTableOptions options(report, 200'000);
  const std::size_t most = report.option("pairs", 5000, "pairs of words, at most");
  const auto iterations = static_cast<int>(report.option("iterations", 12, "steps of training"));
  const std::size_t sample = report.option("sample", 1536, "queries by which searches that remember nothing are timed");
  const std::size_t rounds = report.option("rounds", 3, "runs of which the fastest counts");
  const std::size_t only = report.option("learning-rate", 0, "1, 10, 25 or 50; 0: all of these");
  report.check_options();

  const SearchTables tables = search_tables(options, report, most);
  const BlasSearch source_base(tables.source), target_base(tables.target);
  const Int8Search source_index(tables.source, kernels(), TableLayout::clustered);
  const Int8Search target_index(tables.target, kernels(), TableLayout::clustered);
  report.say(fmt::format("{} pairs, {} x {} rows, {} iterations, {} threads, kernels {}", tables.pairs.size(),
                         tables.source.rows(), tables.target.rows(), iterations, ThreadPool::current().size(),
                         kernel_name()));
  for (const int learning_rate : {1, 10, 25, 50}) {
    if (only != 0 && static_cast<int>(only) != learning_rate) continue;
    const Training training(tables, source_index, target_index, learning_rate, iterations);
    double base = 0, plain = 0, ours = 0;
    std::uint64_t queries = 0, saved_scans = 0;
    std::string shares;
    for (const auto& [calls, blas, int8] : {std::tuple(&training.target.calls, &target_base, &target_index),
                                            std::tuple(&training.source.calls, &source_base, &source_index)}) {
      base += by_sample(*blas, *calls, sample, rounds);
      plain += by_sample(*int8, *calls, sample, rounds);
      Replay best = replay(*calls, *int8);
      for (std::size_t round = 1; round < rounds; ++round)
        if (Replay again = replay(*calls, *int8); again.seconds < best.seconds) best = std::move(again);
      ours += best.seconds;
      queries += best.queries;
      saved_scans += best.saved_scans;
      shares += best.shares + ";";
    }
    Row row = less_is_better(fmt::format("learning rate {}: BLAS vs block bounds", learning_rate), base, ours, "s",
                             learning_rate == 10 || learning_rate == 25 ? 6 : 0);
    row.note = fmt::format("{:.0f}% of {} scans saved; by call, % (targets; sources):{}",
                           100.0 * static_cast<double>(saved_scans) / static_cast<double>(queries), queries, shares);
    report.add(std::move(row));
    report.add(less_is_better(fmt::format("learning rate {}: int8 vs block bounds", learning_rate), plain, ours, "s"));
  }
  return report.finish();
}
