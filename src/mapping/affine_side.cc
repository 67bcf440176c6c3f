#include "mapping/affine_side.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "linalg/blas.h"
#include "vectors/unit_row.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

double mean_length(ConstMatrixView rows) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    double square = 0;
    for (const float value : rows.row(i)) square += static_cast<double>(value) * value;
    sum += std::sqrt(square);
    count += square > 0;
  }
  return count > 0 ? sum / static_cast<double>(count) : 1;
}

}  // namespace

AffineSide::Kind AffineSide::kind_of(const Normalizer& normalizer) {
  bool unit = false;
  for (const Normalizer::Step step : normalizer.steps()) {
    if (step == Normalizer::Step::center && unit) return Kind::none;
    unit |= step == Normalizer::Step::unit;
  }
  return unit ? Kind::directions : Kind::exact;
}

AffineSide::AffineSide(const Mapping& mapping, Side side)
    : mapping_(mapping), side_(side), shift_(mapping.input_dimension(side), 0) {
  const Normalizer& normalizer = mapping.normalizer(side);
  if (kind_of(normalizer) == Kind::none)
    throw UsageError(fmt::format("the normalization '{}' is no affine map", normalizer.name()));
  for (const auto& mean : normalizer.means())
    for (std::size_t j = 0; j < shift_.size(); ++j) shift_[j] += mean[j];
}

AffineSide::AffineSide(const Mapping& mapping, Side side, ConstMatrixView sample)
    : mapping_(mapping), side_(side), shift_(mapping.input_dimension(side), 0) {
  const Normalizer& normalizer = mapping.normalizer(side);
  Matrix rows = Matrix::copy_of(sample);
  auto mean = normalizer.means().begin();
  for (const Normalizer::Step step : normalizer.steps()) {
    if (step == Normalizer::Step::unit) {
      const double length = mean_length(rows);
      scale_ /= length;
      for (double& value : shift_) value /= length;
      normalize_rows(rows);
    } else {
      for (std::size_t j = 0; j < shift_.size(); ++j) shift_[j] += (*mean)[j];
      Normalizer::from_parts({step}, {*mean}).apply(rows);
      ++mean;
    }
  }
}

Matrix AffineSide::apply(Matrix rows) const {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto row = rows.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<float>(scale_ * row[j] - shift_[j]);
  }
  Matrix mapped = apply_linear(std::move(rows));
  if (side_ == Side::source && !mapping_.source_intercept().empty())
    for (std::size_t i = 0; i < mapped.rows(); ++i)
      for (std::size_t j = 0; j < mapped.cols(); ++j) mapped(i, j) += mapping_.source_intercept()[j];
  return mapped;
}

Matrix AffineSide::apply_linear(Matrix rows) const {
  if (side_ == Side::source)
    rows = multiply_abt(rows, mapping_.source_map());
  else if (mapping_.target_map())
    rows = multiply_abt(rows, *mapping_.target_map());
  if (!all_finite(rows.data(), rows.size()))
    throw Error("the mapped vectors are not finite: values of the mapping or of the vectors are too large");
  return rows;
}

double AffineSide::mean_cosine(ConstMatrixView rows) const {
  const Matrix expected = mapping_.apply(Matrix::copy_of(rows), side_, true);
  Matrix own = apply(Matrix::copy_of(rows));
  normalize_rows(own);
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (is_zero(rows.row(i))) continue;
    double cosine = 0;
    for (std::size_t j = 0; j < own.cols(); ++j) cosine += static_cast<double>(own(i, j)) * expected(i, j);
    sum += cosine;
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 1;
}

}  // namespace wordbridge
