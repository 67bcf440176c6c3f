#include "search/warm_start/drifted_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "search/rounding.h"

namespace wordbridge {

namespace {

constexpr std::size_t kWidth = DriftMove::kWidth;
constexpr std::size_t kChunk = 2048;  // rows that a thread takes at a time

double short_product(const std::array<double, kWidth>& a, const std::array<double, kWidth>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < kWidth; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

DriftedRows::DriftedRows(ConstMatrixView table, std::span<const std::uint32_t> ids, const DriftTable& measures,
                         const DriftDirections& directions, const std::array<float, kWidth>& typical,
                         const ScoreKernel& kernel)
    : kernel_(kernel),
      typical_(typical),
      typical_norm_(norm_above(typical.data(), kWidth)),
      largest_norm_(measures.largest_norm),
      ids_(ids.begin(), ids.end()),
      position_(table.rows()),
      keys_(ids.size()),
      rows_(Matrix::uninitialized(ids.size(), kWidth)) {
  project(table, measures, directions);
  order_rows();
  bound_blocks();
}

// w: with z within e_z of P y and |P Pᵀ - I| <= deviation,
//     |y - Pᵀ z|^2 = |y|^2 - 2 <P y, z> + |Pᵀ z|^2 <= |y|^2 - (1 - deviation) |z|^2 + 2 e_z |z|.
// So |(z, w)|^2 <= Y^2 + deviation |z|^2 + 2 e_z |z|, and |z| <= sqrt(1 + deviation) Y + e_z; with both errors below
// 0.01 (DriftTable::can_be_projected), |z| and |(z, w)| are less than 2 Y.
void DriftedRows::project(ConstMatrixView table, const DriftTable& measures, const DriftDirections& directions) {
  const std::size_t m = directions.count();
  const double error = measures.projection_error(directions);
  ThreadPool::current().for_chunks(ids_.size(), kChunk, [&](std::size_t begin, std::size_t end, int) {
    // Rows that are not zero nearly always follow each other.
    const std::size_t first = ids_[begin], last = ids_[end - 1] + 1;
    for (std::size_t start = first; start < last; start += kChunk) {
      const ConstMatrixView block = table.slice(start, std::min(last, start + kChunk));
      const Matrix z = multiply_abt(block, directions.p.view());
      const auto from = std::lower_bound(ids_.begin() + static_cast<std::ptrdiff_t>(begin),
                                         ids_.begin() + static_cast<std::ptrdiff_t>(end), start);
      for (auto i = static_cast<std::size_t>(from - ids_.begin()); i < end && ids_[i] < start + block.rows(); ++i) {
        const float* values = z.data() + (ids_[i] - start) * m;
        float* row = rows_.row(i).data();
        std::copy_n(values, m, row);
        std::fill(row + m, row + kWidth, 0.0f);
        double square = 0;
        for (std::size_t j = 0; j < m; ++j) square += double{values[j]} * double{values[j]};
        const double norm = measures.norms[ids_[i]];
        const double rest = norm * norm * (1 + 0x1.0p-48) - (1 - directions.deviation) * square +
                            2 * error * std::sqrt(square) * (1 + 0x1.0p-48);
        row[kWidth - 1] = float_above(std::sqrt(std::max(0.0, rest)) * (1 + 0x1.0p-50));
      }
    }
    kernel_.products(rows_.row(begin).data(), nullptr, end - begin, typical_.data(), keys_.data() + begin);
  });
}

void DriftedRows::order_rows() {
  std::vector<std::uint32_t> order(ids_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return keys_[a] > keys_[b] || (keys_[a] == keys_[b] && a < b); });
  Matrix rows = Matrix::uninitialized(rows_.rows(), kWidth);
  std::vector<std::uint32_t> ids(ids_.size());
  std::vector<float> keys(ids_.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::copy_n(rows_.row(order[i]).data(), kWidth, rows.row(i).data());
    ids[i] = ids_[order[i]];
    keys[i] = keys_[order[i]];
    position_[ids[i]] = static_cast<std::uint32_t>(i);
  }
  rows_ = std::move(rows);
  ids_ = std::move(ids);
  keys_ = std::move(keys);
}

void DriftedRows::bound_blocks() {
  for (std::size_t i = 0; i < rows_.rows(); ++i)
    for (std::size_t j = 0; j < kWidth; ++j) mean_[j] += rows_(i, j);
  for (double& value : mean_) value /= static_cast<double>(std::max<std::size_t>(1, rows_.rows()));
  blocks_.resize((rows_.rows() + kBlock - 1) / kBlock);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const std::size_t begin = b * kBlock, end = std::min(rows_.rows(), begin + kBlock);
    double spread = 0;
    for (std::size_t i = begin; i < end; ++i) {
      std::array<double, kWidth> difference;
      for (std::size_t j = 0; j < kWidth; ++j) difference[j] = rows_(i, j) - mean_[j];
      spread = std::max(spread, short_product(difference, difference));
    }
    blocks_[b] = {keys_[begin], keys_[end - 1], float_above(std::sqrt(spread) * (1 + 0x1.0p-40)), 0};
  }
  float largest = 0;
  for (std::size_t b = blocks_.size(); b-- > 0;)
    blocks_[b].spread_from_here = largest = std::max(largest, blocks_[b].spread);
}

void DriftedRows::products(const DriftMove& move, std::span<const std::uint32_t> ids, std::span<float> result) const {
  constexpr std::size_t kTogether = 64;
  std::uint32_t positions[kTogether];
  for (std::size_t begin = 0; begin < ids.size(); begin += kTogether) {
    const std::size_t count = std::min(kTogether, ids.size() - begin);
    for (std::size_t i = 0; i < count; ++i) positions[i] = position_[ids[begin + i]];
    kernel_.products(rows_.data(), positions, count, move.coefficients.data(), result.data() + begin);
  }
}

// With v the coefficients, v0 the typical ones, x = (z, w) and x0 the mean of all x, for any beta
//     <v, x> = beta <v0, x> + <v - beta v0, x0> + <v - beta v0, x - x0>
//           <= beta key(x) + <v - beta v0, x0> + |v - beta v0| spread.
// Keys are computed in float, off by fp32_slack(kWidth, |v0| 2 Y); roundings in double are less than 2^-40 of the
// sizes.
bool DriftedRows::find_reaching(const DriftMove& move, double threshold, std::size_t most,
                                std::vector<Reaching>& result, std::size_t& visited) const {
  std::array<double, kWidth> v, v0, rest;
  for (std::size_t j = 0; j < kWidth; ++j) {
    v[j] = move.coefficients[j];
    v0[j] = typical_[j];
  }
  const double square = short_product(v0, v0), beta = square > 0 ? short_product(v, v0) / square : 0;
  for (std::size_t j = 0; j < kWidth; ++j) rest[j] = v[j] - beta * v0[j];
  const double size = (std::sqrt(short_product(v, v)) + std::fabs(beta) * typical_norm_) * 2 * largest_norm_;
  const double rest_norm = std::sqrt(short_product(rest, rest)) * (1 + 0x1.0p-40);
  const double constant = short_product(rest, mean_) + 0x1.0p-40 * size +
                          std::fabs(beta) * fp32_slack(kWidth, typical_norm_ * 2 * largest_norm_);
  const float least = float_below(threshold);
  float values[kBlock];
  std::uint32_t passed[kBlock];
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const double key = beta >= 0 ? beta * block.largest_key : beta * block.smallest_key;
    if (key + constant + rest_norm * block.spread < threshold) {
      if (beta >= 0 && key + constant + rest_norm * block.spread_from_here < threshold) break;
      continue;
    }
    const std::size_t begin = b * kBlock, count = std::min(kBlock, rows_.rows() - begin);
    kernel_.products(rows_.row(begin).data(), nullptr, count, move.coefficients.data(), values);
    visited += count;
    const std::size_t found = kernel_.select_not_below(values, count, least, passed);
    if (result.size() + found > most) return false;
    for (std::size_t i = 0; i < found; ++i) result.push_back({ids_[begin + passed[i]], values[passed[i]]});
  }
  return true;
}

}  // namespace wordbridge
