#include "mapping/map_row.h"

#include <cblas.h>

#include <algorithm>

#include "linalg/blas.h"

namespace wordbridge {

void map_row(const Mapping& mapping, std::span<const float> row, bool unit, std::span<float> result) {
  mapping.require_dimension(row.size(), Side::source, "the vector");
  std::vector<float> normalized(row.begin(), row.end());
  mapping.normalizer(Side::source).apply(MatrixView(normalized.data(), 1, normalized.size()));
  const Matrix& w = mapping.source_map();
  const auto& intercept = mapping.source_intercept();
  const bool shifted = !intercept.empty() && !is_zero(normalized);
  if (shifted)
    std::ranges::copy(intercept, result.begin());
  else
    std::ranges::fill(result, 0.0f);
  prepare_blas();
  cblas_sgemv(CblasRowMajor, CblasNoTrans, static_cast<int>(w.rows()), static_cast<int>(w.cols()), 1.0f, w.data(),
              static_cast<int>(w.cols()), normalized.data(), 1, 1.0f, result.data(), 1);
  if (unit) normalize_rows(MatrixView(result.data(), 1, result.size()));
}

}  // namespace wordbridge
