#include <cblas.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "benchmarks/fma_peak.h"
#include "benchmarks/report.h"
#include "benchmarks/search_tables.h"
#include "linalg/blas.h"
#include "search/blas_search.h"
#include "search/int8_search.h"
#include "search/kernels/kernel_choice.h"
#include "wordbridge/context.h"
#ifdef HAVE_FAISS
#include <faiss/IndexFlat.h>
#include <omp.h>
#include <unistd.h>
#endif

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

constexpr std::size_t kNeighbors = 10;

/// Rows from all over the table.
Matrix some_rows(ConstMatrixView table, std::size_t count) {
  Matrix result = Matrix::uninitialized(count, table.cols());
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(table.row(i * table.rows() / count).data(), table.cols(), result.row(i).data());
  return result;
}

/// The queries after a small step of training: a twentieth of their length in a random direction.
Matrix moved(const Matrix& queries) {
  Random random(5);
  Matrix result = queries;
  const double scale = 0.05 / std::sqrt(static_cast<double>(queries.cols()));
  for (float& value : result.elements()) value = static_cast<float>(value + scale * random.normal());
  return result;
}

/// The worst score of a query with the rows that were nearest to it before its step: k rows reach it, so it bounds the
/// k-th best score from below.
std::vector<float> lower_bounds(ConstMatrixView table, ConstMatrixView queries, const Neighbors& previous) {
  std::vector<float> result(queries.rows(), std::numeric_limits<float>::infinity());
  ThreadPool::current().for_chunks(queries.rows(), 64, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i)
      for (const std::uint32_t id : previous.ids_of(i))
        result[i] = std::min(result[i], exact_score(queries.row(i).data(), table.row(id).data(), table.cols()));
  });
  return result;
}

bool same(const Neighbors& a, const Neighbors& b) { return a.ids == b.ids && a.scores == b.scores; }

#ifdef HAVE_FAISS
/// The BLAS that faiss needs, and that serves as our base here too, may be older than the processor and choose poor
/// kernels. It chooses when it is loaded: so the program starts once more with the name of good ones.
void use_good_blas_kernels(char** argv) {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr || !__builtin_cpu_supports("avx2")) return;
  ::setenv("OPENBLAS_CORETYPE", __builtin_cpu_supports("avx512bw") ? "SkylakeX" : "Haswell", 1);
  ::execv("/proc/self/exe", argv);
}
#endif

}  // namespace

int main(int argc, char** argv) {
  Report report("neighbor_search", "the 10 largest dot products of each query with the rows of a table", argc, argv);
  const SearchTableOptions options(report, 200'000);
  const std::size_t asked = report.option("queries", 1536, "queries");
  const std::size_t rounds = report.option("rounds", 9, "runs of which the fastest counts");
  report.check_options();
#ifdef HAVE_FAISS
  use_good_blas_kernels(argv);
  openblas_set_num_threads(1);
#endif

  const SearchTables tables = search_tables(options, report, 5000);
  const Matrix& table = tables.target;
  const std::size_t count = std::min(asked, tables.source.rows());
  const Matrix queries = some_rows(mapped_sources(tables, report), count), step = moved(queries);
  const Matrix strangers = some_rows(tables.source, count);
  const BlasSearch base(table);
  const Int8Search int8(table);
  const Neighbors expected = base.search(queries, kNeighbors), after_step = base.search(step, kNeighbors);
  if (!same(expected, int8.search(queries, kNeighbors)) ||
      !same(after_step, int8.search_above(step, kNeighbors, lower_bounds(table, step, expected))) ||
      !same(base.search(strangers, kNeighbors), int8.search(strangers, kNeighbors))) {
    report.say("the searches differ: this is a bug");
    return 1;
  }
  // The same kernels over a plain table, whose products never terminate early.
  FilterKernel plain_filter = *kernels().filter;
  plain_filter.least_staged_rows = std::numeric_limits<std::size_t>::max();
  Kernels plain_kernels = kernels();
  plain_kernels.filter = &plain_filter;
  const Int8Search plain(table, plain_kernels);
  const bool avx512 = std::string_view(kernel_name()) != "avx2" && __builtin_cpu_supports("avx512f");
  const int threads = ThreadPool::current().size();
  report.say(fmt::format("{} queries, {} rows, d = {}, {} threads, kernels {}, OpenBLAS {}", queries.rows(),
                         table.rows(), table.cols(), threads, kernel_name(), blas_core_name()));

  double operations = 0;
  std::vector<std::function<void()>> runs = {
      [&] { keep(base.search(queries, kNeighbors)); },
      [&] { keep(int8.search(queries, kNeighbors)); },
      [&] { keep(int8.search_above(step, kNeighbors, lower_bounds(table, step, expected))); },
      [&] { operations = run_fma_peak(avx512); },
      [&] { keep(Int8Search(table)); },
      [&] { keep(int8.search(strangers, kNeighbors)); },
      [&] { keep(plain.search(queries, kNeighbors)); }};
#ifdef HAVE_FAISS
  faiss::IndexFlatIP index(static_cast<std::int64_t>(table.cols()));
  index.add(static_cast<std::int64_t>(table.rows()), table.data());
  std::vector<float> scores(queries.rows() * kNeighbors);
  std::vector<std::int64_t> ids(queries.rows() * kNeighbors);
  runs.emplace_back([&] {
    omp_set_num_threads(threads);
    openblas_set_num_threads(threads);
    index.search(static_cast<std::int64_t>(queries.rows()), queries.data(), kNeighbors, scores.data(), ids.data());
    openblas_set_num_threads(1);
  });
#endif
  const std::vector<double> times = best_times(runs, rounds);
  const double per_query = 1e6 / static_cast<double>(queries.rows());
  const double flops = 2.0 * static_cast<double>(queries.rows() * table.rows() * table.cols());
  report.add(less_is_better("BLAS vs int8, cold", times[0] * per_query, times[1] * per_query, "us/query", 2.8));
  report.add(less_is_better("BLAS vs int8, previous neighbors known", times[0] * per_query, times[2] * per_query,
                            "us/query", 3.2));
  report.add(
      less_is_better("BLAS vs int8, cold, queries not mapped", times[0] * per_query, times[5] * per_query, "us/query"));
  if (int8.codes().checks() > 0)
    report.add(less_is_better("int8, cold: plain table vs early termination", times[6] * per_query,
                              times[1] * per_query, "us/query"));
  report.add(more_is_better("peak of fp32 FMA vs BLAS search", operations / times[3] / 1e9, flops / times[0] / 1e9,
                            "GFLOP/s", 0.8));
#ifdef HAVE_FAISS
  report.add(
      less_is_better("faiss IndexFlatIP vs int8, cold", times[7] * per_query, times[1] * per_query, "us/query", 3));
#else
  report.say("faiss is not installed: no comparison with it");
#endif
  report.add(less_is_better("a BLAS search of all queries vs building the int8 index", times[0], times[4], "s"));
  Context one_thread({.threads = 1});
  const Context::Scope scope(one_thread);
  const std::vector<double> single = best_times({runs[0], runs[1]}, rounds);
  report.add(
      less_is_better("BLAS vs int8, cold, one thread", single[0] * per_query, single[1] * per_query, "us/query", 2.8));
  report.add(less_is_better(fmt::format("int8, one thread vs {}", threads), single[1] * per_query, times[1] * per_query,
                            "us/query", threads == 2 ? 1.8 : 0));
  return report.finish();
}
