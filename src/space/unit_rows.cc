#include "space/unit_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/rounding.h"
#include "vectors/unit_row.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge {

namespace {

constexpr std::size_t kRowsOfTask = 4096;
/// Of the squared length. Rounding to float moves it by less than 1e-6.
constexpr double kTolerance = 1e-5;

bool is_one(double length) { return std::abs(length * length - 1) <= kTolerance; }
bool are_one(const RowLengths& lengths) {
  return lengths.largest == 0 || (is_one(lengths.largest) && is_one(lengths.least));
}

RowLengths measure(ConstMatrixView rows) {
  std::vector<RowLengths> parts((rows.rows() + kRowsOfTask - 1) / kRowsOfTask);
  ThreadPool::current().for_chunks(rows.rows(), kRowsOfTask, [&](std::size_t begin, std::size_t end, int) {
    parts[begin / kRowsOfTask] = RowLengths::of(rows.slice(begin, end), begin);
  });
  RowLengths all;
  for (const RowLengths& part : parts) all.append(part);
  return all;
}

}  // namespace

RowLengths RowLengths::of(ConstMatrixView rows, std::size_t first) {
  RowLengths lengths;
  const RowKernel& kernel = row_kernel();
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double length = norm_above(kernel.squared_length(rows.row(i).data(), rows.cols()), rows.cols());
    if (length == 0) {
      lengths.zeros.push_back(static_cast<WordId>(first + i));
      continue;
    }
    lengths.largest =
        std::isfinite(length) ? std::max(lengths.largest, length) : std::numeric_limits<double>::infinity();
    lengths.least = std::min(lengths.least, length);
  }
  return lengths;
}

void RowLengths::append(const RowLengths& next) {
  largest = std::max(largest, next.largest);
  least = std::min(least, next.least);
  zeros.insert(zeros.end(), next.zeros.begin(), next.zeros.end());
}

UnitRows::UnitRows(ConstMatrixView rows, std::shared_ptr<const void> owner, const RowLengths& lengths)
    : rows_(rows), owner_(std::move(owner)) {
  if (!are_one(lengths))
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
  return UnitRows(*owner, owner, measure(*owner));
}

UnitRows UnitRows::view(ConstMatrixView rows, std::shared_ptr<const void> owner) {
  return UnitRows(rows, std::move(owner), measure(rows));
}

UnitRows UnitRows::view(ConstMatrixView rows, std::shared_ptr<const void> owner, const RowLengths& lengths) {
  return UnitRows(rows, std::move(owner), lengths);
}

UnitRows UnitRows::loaded(ConstMatrixView rows, std::shared_ptr<const RowLoader> loader, const RowLengths& lengths) {
  UnitRows result(rows, loader, lengths);
  result.loader_ = std::move(loader);
  return result;
}

Matrix UnitRows::gather(std::span<const WordId> words) const {
  if (loader_)
    for (const WordId word : words) loader_->bring(word);
  return gather_rows(rows_, words);
}

UnitRows UnitRows::of(ConstMatrixView rows) {
  return are_one(measure(rows)) ? view(rows) : normalized(Matrix::copy_of(rows));
}

}  // namespace wordbridge
