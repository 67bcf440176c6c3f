#include "space/unit_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "parallel/thread_pool.h"
#include "search/rounding.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge {

namespace {

constexpr std::size_t kRowsOfTask = 4096;
/// Of the squared length. Rounding to float moves it by less than 1e-6.
constexpr double kTolerance = 1e-5;

/// What one pass over the rows tells.
struct Lengths {
  double largest = 0, least = std::numeric_limits<double>::infinity();  // of the rows that are not zero
  std::vector<WordId> zeros;

  bool are_one() const { return zeros_only() || (within(largest) && within(least)); }
  bool zeros_only() const { return largest == 0; }
  static bool within(double length) { return std::abs(length * length - 1) <= kTolerance; }
};

Lengths measure(ConstMatrixView rows) {
  std::vector<Lengths> parts((rows.rows() + kRowsOfTask - 1) / kRowsOfTask);
  ThreadPool::current().for_chunks(rows.rows(), kRowsOfTask, [&](std::size_t begin, std::size_t end, int) {
    Lengths& part = parts[begin / kRowsOfTask];
    for (std::size_t i = begin; i < end; ++i) {
      const double length = norm_above(rows.row(i).data(), rows.cols());
      if (length == 0) {
        part.zeros.push_back(static_cast<WordId>(i));
        continue;
      }
      part.largest = std::isfinite(length) ? std::max(part.largest, length) : std::numeric_limits<double>::infinity();
      part.least = std::min(part.least, length);
    }
  });
  Lengths all;
  for (const Lengths& part : parts) {
    all.largest = std::max(all.largest, part.largest);
    all.least = std::min(all.least, part.least);
    all.zeros.insert(all.zeros.end(), part.zeros.begin(), part.zeros.end());
  }
  return all;
}

}  // namespace

UnitRows::UnitRows(ConstMatrixView rows, std::shared_ptr<const void> owner) : rows_(rows), owner_(std::move(owner)) {
  const Lengths lengths = measure(rows);
  if (!lengths.are_one())
    throw UsageError(
        fmt::format("vectors of lengths {:.3g} to {:.3g} are not of length 1", lengths.least, lengths.largest));
  largest_norm_ = lengths.largest;
  nonzero_ = rows.rows() - lengths.zeros.size();
  if (lengths.zeros.empty()) return;
  zero_.resize(rows.rows());
  for (const WordId row : lengths.zeros) zero_[row] = 1;
}

UnitRows UnitRows::normalized(Matrix rows) {
  normalize_rows(rows);
  return take(std::move(rows));
}

UnitRows UnitRows::take(Matrix rows) {
  auto owner = std::make_shared<const Matrix>(std::move(rows));
  return UnitRows(*owner, owner);
}

UnitRows UnitRows::view(ConstMatrixView rows, std::shared_ptr<const void> owner) {
  return UnitRows(rows, std::move(owner));
}

UnitRows UnitRows::of(ConstMatrixView rows) {
  return measure(rows).are_one() ? view(rows) : normalized(Matrix::copy_of(rows));
}

}  // namespace wordbridge
