#include "wordbridge/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/wording.h"
#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "vectors/unit_row.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

void require_means(const Normalizer& normalizer, std::size_t dimension, Side side) {
  for (const auto& mean : normalizer.means())
    if (mean.size() != dimension)
      throw UsageError(
          fmt::format("the {} map takes dimension {}, its normalizer {}", name_of(side), dimension, mean.size()));
}

std::string shown_name(const WordVectors& vectors) {
  return vectors.summary().path.empty() ? "the vectors given" : vectors.summary().path;
}

/// A block of mapped(), large enough for several threads; products are cut there anyway.
constexpr std::size_t kRowsAtOnce = 16 * kProductRows;

/// Adds b to the mapped rows. A row without a direction stays without one.
void add_intercept(MatrixView mapped, std::span<const float> intercept, const std::vector<bool>& zero) {
  for (std::size_t i = 0; i < mapped.rows(); ++i) {
    if (zero[i]) continue;
    const auto row = mapped.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] += intercept[j];
  }
}

/// A vector made of subwords is one of the space that is left: it takes the same way as the rows of the table.
WordVectors::SubwordModel mapped_subwords(const Mapping& mapping, WordVectors::SubwordModel raw, Side side, bool unit) {
  return [mapping = std::make_shared<const Mapping>(mapping), side, unit,
          raw = std::move(raw)](std::string_view word) -> std::optional<std::vector<float>> {
    const auto vector = raw(word);
    if (!vector) return std::nullopt;
    const Matrix mapped = mapping->apply(Matrix::copy_of({vector->data(), 1, vector->size()}), side, unit);
    return std::vector<float>(mapped.elements().begin(), mapped.elements().end());
  };
}

}  // namespace

std::string_view name_of(Side side) { return side == Side::source ? "source" : "target"; }

Mapping::Mapping(Matrix source_map, Normalizer source_normalizer, Normalizer target_normalizer,
                 std::optional<Matrix> target_map)
    : source_map_(std::move(source_map)),
      target_map_(std::move(target_map)),
      source_normalizer_(std::move(source_normalizer)),
      target_normalizer_(std::move(target_normalizer)) {
  if (source_map_.empty() || (target_map_ && target_map_->empty()))
    throw UsageError("a mapping needs maps with rows and columns");
  if (target_map_ && target_map_->rows() != source_map_.rows())
    throw UsageError(fmt::format("the source map leads to dimension {}, the target map to {}", source_map_.rows(),
                                 target_map_->rows()));
  require_means(source_normalizer_, input_dimension(Side::source), Side::source);
  require_means(target_normalizer_, input_dimension(Side::target), Side::target);
}

void Mapping::set_source_intercept(std::vector<float> intercept) {
  if (!intercept.empty() && intercept.size() != common_dimension())
    throw UsageError(
        fmt::format("an intercept of dimension {} for a map into dimension {}", intercept.size(), common_dimension()));
  source_intercept_ = std::move(intercept);
}

std::size_t Mapping::input_dimension(Side side) const {
  if (side == Side::source) return source_map_.cols();
  return target_map_ ? target_map_->cols() : common_dimension();
}

void Mapping::require_dimension(std::size_t dimension, Side side, std::string_view name) const {
  if (dimension == input_dimension(side)) return;
  throw UsageError(fmt::format("the mapping takes {} vectors of dimension {}, but {} has dimension {}", name_of(side),
                               input_dimension(side), name, dimension));
}

Matrix Mapping::apply(Matrix rows, Side side, bool unit) const {
  require_dimension(rows.cols(), side, "the table");
  const Matrix* map = side == Side::source ? &source_map_ : target_map_ ? &*target_map_ : nullptr;
  const std::span<const float> intercept = side == Side::source ? source_intercept_ : std::span<const float>();
  // Mapped rows of large tables take the place of the others where they fit: fresh memory costs more than going over
  // it.
  const bool in_place = map == nullptr || (map->rows() == rows.cols() && rows.rows() > kProductRows);
  Matrix other = in_place ? Matrix() : Matrix::uninitialized(rows.rows(), map->rows());
  Matrix& mapped = in_place ? rows : other;
  ThreadPool::current().for_chunks(rows.rows(), kProductRows, [&](std::size_t begin, std::size_t end, int) {
    const MatrixView block = rows.view().slice(begin, end), result = mapped.view().slice(begin, end);
    normalizer(side).apply(block);
    std::vector<bool> zero(intercept.empty() ? 0 : block.rows());
    for (std::size_t i = 0; i < zero.size(); ++i) zero[i] = is_zero(block.row(i));
    if (map != nullptr && in_place) std::ranges::copy(multiply_abt(block, *map).elements(), result.data());
    if (!in_place) multiply_abt_into(block, *map, result);
    if (!intercept.empty()) add_intercept(result, intercept, zero);
    if (unit) normalize_rows(result);
    if (!all_finite(result.data(), result.rows() * result.cols()))
      throw Error(
          fmt::format("vectors mapped by the {} side of the mapping are not finite: its values or those of the vectors "
                      "are too large",
                      name_of(side)));
  });
  return std::move(mapped);
}

WordVectors Mapping::apply(WordVectors vectors, Side side, bool unit) const {
  require_dimension(vectors.dimension(), side, shown_name(vectors));
  vectors.table() = apply(std::move(vectors.table()), side, unit);
  if (vectors.has_subword_model())
    vectors.set_subword_model(mapped_subwords(*this, vectors.subword_model(), side, unit));
  return vectors;
}

Matrix Mapping::mapped(ConstMatrixView rows, Side side, bool unit) const {
  require_dimension(rows.cols(), side, "the table");
  Matrix result = Matrix::uninitialized(rows.rows(), common_dimension());
  for (std::size_t begin = 0; begin < rows.rows(); begin += kRowsAtOnce) {
    const std::size_t end = std::min(begin + kRowsAtOnce, rows.rows());
    const Matrix block = apply(Matrix::copy_of(rows.slice(begin, end)), side, unit);
    std::ranges::copy(block.elements(), result.row(begin).data());
  }
  return result;
}

WordVectors Mapping::mapped(const WordVectors& vectors, Side side, bool unit) const {
  require_dimension(vectors.dimension(), side, shown_name(vectors));
  WordVectors result(vectors.vocabulary(), mapped(vectors.table(), side, unit), vectors.summary());
  if (vectors.has_subword_model())
    result.set_subword_model(mapped_subwords(*this, vectors.subword_model(), side, unit));
  return result;
}

std::optional<std::string> Mapping::mismatch(const WordVectors& vectors, Side side) const {
  if (provenance.origin(side).checksum.empty()) return std::nullopt;
  return mismatch(shown_name(vectors), vectors.size(), vectors.content_checksum(), side);
}

std::optional<std::string> Mapping::mismatch(std::string_view name, std::uint64_t words, const std::string& checksum,
                                             Side side) const {
  const VectorsOrigin& origin = provenance.origin(side);
  if (origin.checksum.empty() || origin.checksum == checksum) return std::nullopt;
  const Side other = side == Side::source ? Side::target : Side::source;
  const std::string what = provenance.origin(other).checksum == checksum
                               ? fmt::format("they are its {} vectors", name_of(other))
                           : words != origin.words ? counted(words, "word") + " here"
                                                   : "words or values differ";
  return fmt::format("{}: not the {} vectors that the mapping was fitted on ({}, {}): {}", name, name_of(side),
                     origin.name, counted(origin.words, "word"), what);
}

}  // namespace wordbridge
