#include "search/pruning/cluster_order.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/random.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

/// The coordinate in which these rows differ most.
std::size_t widest(ConstMatrixView rows, std::span<const std::uint32_t> some, std::vector<float>& memory) {
  const std::size_t d = rows.cols();
  memory.assign(2 * d, 0.0f);
  float *sums = memory.data(), *squares = sums + d;
  // Every eighth row tells as much where they are many.
  const std::size_t stride = some.size() > 1024 ? 8 : 1;
  float count = 0;
  for (std::size_t i = 0; i < some.size(); i += stride) {
    ++count;
    const float* row = rows.row(some[i]).data();
    for (std::size_t j = 0; j < d; ++j) {
      sums[j] += row[j];
      squares[j] += row[j] * row[j];
    }
  }
  std::size_t best = 0;
  const auto variance = [&](std::size_t j) { return squares[j] - sums[j] * sums[j] / count; };
  for (std::size_t j = 1; j < d; ++j)
    if (variance(j) > variance(best)) best = j;
  return best;
}

void halve(ConstMatrixView rows, std::size_t size, std::span<std::uint32_t> some, std::vector<float>& memory) {
  while (some.size() > size) {
    Context::poll();
    const std::size_t j = widest(rows, some, memory), half = (some.size() / 2 + size - 1) / size * size;
    std::nth_element(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(half), some.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return rows(a, j) < rows(b, j); });
    halve(rows, size, some.first(half), memory);
    some = some.subspan(half);
  }
}

}  // namespace

std::vector<std::uint32_t> cluster_order(ConstMatrixView rows, std::size_t size) {
  std::vector<std::uint32_t> sorted(rows.rows());
  std::iota(sorted.begin(), sorted.end(), 0u);
  if (rows.cols() == 0) return sorted;
  std::vector<float> memory;
  halve(rows, size, sorted, memory);

  std::vector<std::size_t> clusters(sorted.size() / size);
  std::iota(clusters.begin(), clusters.end(), 0u);
  Random(20'181'031).shuffle(clusters);
  std::vector<std::uint32_t> result;
  result.reserve(sorted.size());
  for (const std::size_t c : clusters)
    result.insert(result.end(), sorted.begin() + static_cast<std::ptrdiff_t>(c * size),
                  sorted.begin() + static_cast<std::ptrdiff_t>((c + 1) * size));
  result.insert(result.end(), sorted.begin() + static_cast<std::ptrdiff_t>(result.size()), sorted.end());
  return result;
}

}  // namespace wordbridge
