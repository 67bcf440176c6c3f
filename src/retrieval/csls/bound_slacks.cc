#include "retrieval/csls/bound_slacks.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "parallel/thread_pool.h"
#include "search/neighbor_search.h"
#include "search/rounding.h"

namespace wordbridge {

RowNorms row_norms(ConstMatrixView table) {
  constexpr std::size_t kRows = 4096;
  std::vector<RowNorms> parts((table.rows() + kRows - 1) / kRows);
  ThreadPool::current().for_chunks(table.rows(), kRows, [&](std::size_t begin, std::size_t end, int) {
    RowNorms& part = parts[begin / kRows];
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = table.row(i);
      if (is_zero(row)) continue;
      // A score is off by less than two roundings, or by a denormal.
      const double square = exact_score(row.data(), row.data(), row.size());
      part.largest = std::max(part.largest, std::sqrt(square * (1 + 2 * kFloatRoundoff) + 0x1.0p-149));
      ++part.eligible;
    }
  });
  RowNorms result;
  for (const RowNorms& part : parts) {
    result.largest = std::max(result.largest, part.largest * (1 + 0x1.0p-50));
    result.eligible += part.eligible;
  }
  return result;
}

RowNorms row_norms(const TableSearch& search) {
  if (const UnitRows* rows = search.unit_rows()) return {rows->largest_norm(), rows->nonzero()};
  return row_norms(search.table());
}

double mean_slack(std::size_t d, std::size_t k, double largest_source, double largest_target) {
  const double similarity = largest_source * largest_target;
  return fp32_slack(d + 4, similarity) + static_cast<double>(k + 4) * 0x1.0p-52 * similarity +
         static_cast<double>(d) * 0x1.0p-149 * largest_target;
}

double score_slack(std::size_t d, double query_norm, double largest_source, double largest_target) {
  const double cosine = query_norm * largest_target;
  return 2 * fp32_slack(d, cosine) + 0x1.0p-48 * (cosine + largest_source * largest_target);
}

}  // namespace wordbridge
