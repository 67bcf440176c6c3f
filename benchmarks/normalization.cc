#include <cmath>
#include <cstddef>

#include "base/random.h"
#include "benchmarks/report.h"
#include "parallel/thread_pool.h"
#include "wordbridge/context.h"
#include "wordbridge/matrix.h"
#include "wordbridge/normalizer.h"

using namespace wordbridge;
using namespace wordbridge::benchmarks;

namespace {

// The loop that anyone would write first.
void plain_unit_rows(Matrix& table) {
  for (std::size_t i = 0; i < table.rows(); ++i) {
    double square = 0;
    for (const float value : table.row(i)) square += static_cast<double>(value) * value;
    if (square == 0) continue;
    const double length = std::sqrt(square);
    for (float& value : table.row(i)) value = static_cast<float>(value / length);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Report report("normalization", "bringing all rows of a table to unit length", argc, argv);
  const std::size_t words = report.option("words", 200'000, "rows of the table");
  const std::size_t dimension = report.option("dimension", 300, "columns of the table");
  const std::size_t rounds = report.option("rounds", 5, "runs of which the fastest counts");
  report.check_options();

  Random random(1);
  Matrix table(words, dimension);
  for (float& value : table.elements()) value = static_cast<float>(random.uniform() - 0.5);
  const auto times = best_times({[&] { plain_unit_rows(table); }, [&] { normalize_rows(table); }}, rounds);
  Context one_thread({.threads = 1});
  const Context::Scope scope(one_thread);
  const auto single = best_times({[&] { plain_unit_rows(table); }, [&] { normalize_rows(table); }}, rounds);
  const double megabytes = static_cast<double>(table.size() * sizeof(float)) / 1e6;
  report.add(
      more_is_better("plain loop vs normalize_rows, one core", megabytes / single[0], megabytes / single[1], "MB/s"));
  report.add(
      more_is_better("plain loop vs normalize_rows, all cores", megabytes / times[0], megabytes / times[1], "MB/s"));
  return report.finish();
}
