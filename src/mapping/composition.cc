#include "mapping/composition.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "base/option_error.h"
#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/svd.h"
#include "vectors/unit_row.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

/// W⁺ = V diag(1/s) Uᵀ; directions that W all but annihilates are left out.
MatrixD pseudo_inverse(const Matrix& w) {
  constexpr double kLeast = 1e-6;  // of the largest singular value: floats tell no more
  Svd parts = svd(to_double(w));
  for (std::size_t i = 0; i < parts.s.size(); ++i) {
    const double scale = parts.s[i] > kLeast * parts.s.front() ? 1 / parts.s[i] : 0;
    for (std::size_t j = 0; j < parts.vt.cols(); ++j) parts.vt(i, j) *= scale;
  }
  return multiply_abt(transpose(parts.vt), parts.u);
}

double dot(const double* a, const double* b, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

double cosine(const MatrixD& rows, std::size_t i, std::size_t j) {
  const auto product = [&](std::size_t a, std::size_t b) {
    return dot(rows.data() + a * rows.cols(), rows.data() + b * rows.cols(), rows.cols());
  };
  const double lengths = std::sqrt(product(i, i) * product(j, j));
  return lengths > 0 ? product(i, j) / lengths : 0;
}

/// How much the map changes cosines: the mean over pairs of random directions.
double distortion_of(const MatrixD& map) {
  constexpr std::size_t kDirections = 400;
  Random random(1);
  MatrixD directions(kDirections, map.cols());
  for (std::size_t i = 0; i < directions.size(); ++i) directions.data()[i] = random.normal();
  const MatrixD mapped = multiply_abt(directions, map);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < kDirections; i += 2)
    sum += std::abs(cosine(mapped, i, i + 1) - cosine(directions, i, i + 1));
  return sum / (kDirections / 2.0);
}

/// In the precision of a mapping.
Matrix to_finite(const MatrixD& map) {
  Matrix result = to_float(map);
  if (!all_finite(result.data(), result.size()))
    throw Error("the map that comes out is not finite: values of the mapping are too large or too small");
  return result;
}

Provenance derived(const char* method, std::map<std::string, std::string> options, const Mapping& like) {
  Provenance provenance;
  provenance.version = version();
  provenance.method = method;
  provenance.options = std::move(options);
  provenance.max_words = like.provenance.max_words;
  provenance.criterion = like.provenance.criterion;
  return provenance;
}

void require_same_language(const Mapping& first, const Mapping& second) {
  const VectorsOrigin &end = first.provenance.target, &begin = second.provenance.source;
  if (first.input_dimension(Side::target) != second.input_dimension(Side::source))
    throw UsageError(
        fmt::format("the first mapping ends in vectors of dimension {}, the second begins with dimension {}",
                    first.input_dimension(Side::target), second.input_dimension(Side::source)));
  if (end.head != 0 && begin.head != 0 && end.head != begin.head)
    throw UsageError(fmt::format(
        "the first mapping leads to {}, the second begins with other vectors, {}: align both with the same file",
        end.name, begin.name));
  const std::string one = first.normalizer(Side::target).name(), other = second.normalizer(Side::source).name();
  if (one != other)
    throw OptionError(
        fmt::format("the first mapping leads to vectors after '{}', the second takes them after '{}': align both with "
                    "the same ",
                    one, other) +
        OptionName("normalize"));
}

}  // namespace

DerivedMapping invert(const Mapping& mapping) {
  DerivedMapping result;
  Provenance provenance = derived("invert", {{"of", mapping.provenance.method}}, mapping);
  provenance.source = mapping.provenance.target;
  provenance.target = mapping.provenance.source;
  const Normalizer &source = mapping.normalizer(Side::target), &target = mapping.normalizer(Side::source);
  if (mapping.target_map()) {
    result.mapping = Mapping(*mapping.target_map(), source, target, mapping.source_map());
  } else {
    const MatrixD inverse = pseudo_inverse(mapping.source_map());
    result.distortion = distortion_of(inverse);
    result.mapping = Mapping(to_finite(inverse), source, target);
  }
  result.mapping.provenance = std::move(provenance);
  return result;
}

DerivedMapping compose(const Mapping& first, const Mapping& second) {
  require_same_language(first, second);
  DerivedMapping result;
  MatrixD map = to_double(first.source_map());
  if (first.target_map()) {
    const MatrixD back = pseudo_inverse(*first.target_map());
    result.distortion = distortion_of(back);
    map = multiply(back, map);
  }
  map = multiply(to_double(second.source_map()), map);
  Provenance provenance =
      derived("compose", {{"first", first.provenance.method}, {"second", second.provenance.method}}, second);
  provenance.source = first.provenance.source;
  provenance.target = second.provenance.target;
  result.mapping =
      Mapping(to_finite(map), first.normalizer(Side::source), second.normalizer(Side::target), second.target_map());
  result.mapping.provenance = std::move(provenance);
  return result;
}

}  // namespace wordbridge
