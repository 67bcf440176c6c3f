#include "mapping/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/option_error.h"
#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "mapping/stored_lexicon.h"
#include "vectors/unit_row.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

constexpr double kLeastSingular = 1e-6;  // of the largest singular value: floats tell no more

/// W⁺ = V diag(1/s) Uᵀ; directions that W all but annihilates are left out.
MatrixD pseudo_inverse(const Matrix& w) {
  Svd parts = svd(to_double(w));
  for (std::size_t i = 0; i < parts.s.size(); ++i) {
    const double scale = parts.s[i] > kLeastSingular * parts.s.front() ? 1 / parts.s[i] : 0;
    for (std::size_t j = 0; j < parts.vt.cols(); ++j) parts.vt(i, j) *= scale;
  }
  return multiply_abt(transpose(parts.vt), parts.u);
}

/// A v + w, where both vectors may be empty: then they are 0.
std::vector<float> moved(const MatrixD& a, std::span<const float> v, std::span<const float> w, double sign = 1) {
  if (v.empty() && w.empty()) return {};
  std::vector<float> result(a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double sum = w.empty() ? 0.0 : w[i];
    for (std::size_t j = 0; j < v.size(); ++j) sum += sign * a(i, j) * v[j];
    result[i] = static_cast<float>(sum);
  }
  return result;
}

/// What undoes a chain after which rows have length 1 (or as far as it goes, no `unit`): v goes to factor v + shift.
struct Undone {
  double factor = 1;
  std::vector<double> shift;
};

Undone undo(const Normalizer& normalizer, std::size_t dimension) {
  using Step = Normalizer::Step;
  Undone result{.shift = std::vector<double>(dimension)};
  double square = 0;  // of the length of a row before the next step, on average; 0: unknown
  std::vector<double> divisors;
  auto mean = normalizer.means().begin();
  bool centered = false;
  for (const Step step : normalizer.steps()) {
    if (step == Step::unit) {
      if (centered && square == 0)
        throw UsageError(
            fmt::format("the target's normalization '{}' cannot be undone: it divides by lengths that the "
                        "mapping does not know",
                        normalizer.name()));
      divisors.push_back(square == 0 ? 1 : std::sqrt(square));
      square = 1;
    } else {
      if (square > 0) {
        for (const float value : *mean) square -= double{value} * value;
        square = std::max(square, 1e-12);
      }
      ++mean;
      centered = true;
    }
  }
  for (auto step = normalizer.steps().rbegin(); step != normalizer.steps().rend(); ++step) {
    if (*step == Step::unit) {
      for (double& value : result.shift) value *= divisors.back();
      result.factor *= divisors.back();
      divisors.pop_back();
    } else {
      --mean;
      for (std::size_t j = 0; j < dimension; ++j) result.shift[j] += (*mean)[j];
    }
  }
  return result;
}

double dot(const double* a, const double* b, std::size_t size) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

/// The share of the rows' squared length that lies in the span of some orthonormal columns.
double share_in(const MatrixD& basis, ConstMatrixView rows) {
  const MatrixD wide = to_double(rows), inside = multiply(wide, basis);
  const auto square = [](const MatrixD& m) { return dot(m.data(), m.data(), m.size()); };
  const double all = square(wide);
  return all > 0 ? std::min(square(inside) / all, 1.0) : 1;
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
    if (!mapping.source_intercept().empty())
      throw UsageError("a mapping of both sides with an intercept cannot be turned around");
    result.mapping = Mapping(*mapping.target_map(), source, target, mapping.source_map());
  } else {
    const MatrixD inverse = pseudo_inverse(mapping.source_map());
    result.distortion = distortion_of(inverse);
    result.mapping = Mapping(to_finite(inverse), source, target);
    result.mapping.set_source_intercept(moved(inverse, mapping.source_intercept(), {}, -1));
  }
  result.mapping.provenance = std::move(provenance);
  if (mapping.lexicon) result.mapping.lexicon = std::make_shared<const StoredLexicon>(mapping.lexicon->swapped());
  return result;
}

DerivedMapping compose(const Mapping& first, const Mapping& second) {
  require_same_language(first, second);
  DerivedMapping result;
  MatrixD map = to_double(first.source_map()), after = to_double(second.source_map());
  if (first.target_map()) {
    const MatrixD back = pseudo_inverse(*first.target_map());
    result.distortion = distortion_of(back);
    map = multiply(back, map);
    after = multiply(after, back);
  }
  map = multiply(to_double(second.source_map()), map);
  Provenance provenance =
      derived("compose", {{"first", first.provenance.method}, {"second", second.provenance.method}}, second);
  provenance.source = first.provenance.source;
  provenance.target = second.provenance.target;
  result.mapping =
      Mapping(to_finite(map), first.normalizer(Side::source), second.normalizer(Side::target), second.target_map());
  result.mapping.set_source_intercept(moved(after, first.source_intercept(), second.source_intercept()));
  result.mapping.provenance = std::move(provenance);
  return result;
}

Mapping into_target(const Mapping& mapping) {
  const Undone undone = undo(mapping.normalizer(Side::target), mapping.input_dimension(Side::target));
  MatrixD map = to_double(mapping.source_map());
  std::vector<float> intercept = mapping.source_intercept();
  if (mapping.target_map()) {
    const MatrixD back = pseudo_inverse(*mapping.target_map());
    map = multiply(back, map);
    intercept = moved(back, intercept, {});
  }
  for (double& value : map.elements()) value *= undone.factor;
  intercept.resize(map.rows());
  for (std::size_t i = 0; i < intercept.size(); ++i)
    intercept[i] = static_cast<float>(undone.factor * intercept[i] + undone.shift[i]);
  Mapping result(to_finite(map), mapping.normalizer(Side::source), {});
  const bool shifted = std::ranges::any_of(intercept, [](float value) { return value != 0; });
  if (shifted) result.set_source_intercept(std::move(intercept));
  result.provenance = mapping.provenance;
  result.lexicon = mapping.lexicon;
  return result;
}

KeptLength kept_length(const Mapping& mapping, ConstMatrixView rows) {
  const auto basis = [](const MatrixD& vectors, const std::vector<double>& s) {
    const auto kept = std::ranges::count_if(s, [&](double value) { return value > kLeastSingular * s.front(); });
    MatrixD result(vectors.rows(), static_cast<std::size_t>(kept));
    for (std::size_t i = 0; i < result.rows(); ++i)
      for (std::size_t j = 0; j < result.cols(); ++j) result(i, j) = vectors(i, j);
    return result;
  };
  KeptLength kept;
  Matrix normalized = Matrix::copy_of(rows);
  mapping.normalizer(Side::source).apply(normalized);
  const Svd source = svd(to_double(mapping.source_map()));
  kept.source = share_in(basis(transpose(source.vt), source.s), normalized);
  if (mapping.target_map()) {
    const Svd target = svd(to_double(*mapping.target_map()));
    kept.target = share_in(basis(target.u, target.s), mapping.mapped(rows, Side::source, false));
  }
  return kept;
}

}  // namespace wordbridge
