#include "optimize/contrastive.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"

namespace wordbridge {

namespace {

constexpr std::size_t kRowsOfChunk = 64;   // pairs, for one thread
constexpr std::size_t kRowsOfBlock = 512;  // pairs of evaluate() at once
constexpr std::uint32_t kNoColumn = ~std::uint32_t{0};

float dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += double{a[j]} * b[j];
  return static_cast<float>(sum);
}

/// For each row, the first one that equals it.
std::vector<std::uint32_t> first_equals(ConstMatrixView table) {
  std::unordered_map<std::string_view, std::uint32_t> first;
  std::vector<std::uint32_t> result(table.rows());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const auto row = table.row(i);
    const std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size_bytes());
    result[i] = first.try_emplace(bytes, static_cast<std::uint32_t>(i)).first->second;
  }
  return result;
}

/// The targets of each input, and all that equal one of them.
std::vector<std::vector<std::uint32_t>> matches_of(std::size_t inputs, ConstMatrixView targets,
                                                   std::span<const Lexicon::Pair> pairs) {
  const std::vector<std::uint32_t> first = first_equals(targets);
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> copies;  // of rows that have any
  for (std::uint32_t i = 0; i < first.size(); ++i)
    if (first[i] != i) copies[first[i]].push_back(i);
  std::vector<std::vector<std::uint32_t>> result(inputs);
  for (const auto& pair : pairs) {
    auto& rows = result[pair.source];
    rows.push_back(first[pair.target]);
    if (const auto found = copies.find(first[pair.target]); found != copies.end())
      rows.insert(rows.end(), found->second.begin(), found->second.end());
  }
  for (auto& rows : result) {
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());  // not of std::ranges, which clang 14 cannot read
  }
  return result;
}

std::uint64_t seed_of(std::uint64_t seed, std::span<const std::size_t> batch) {
  for (const std::size_t pair : batch) seed = stream_seed(seed, pair);
  return seed;
}

/// Some rows with a 1 behind each, some elements dropped and the others raised to make up for them.
Matrix with_dropout(ConstMatrixView table, std::span<const std::uint32_t> chosen, double dropout, std::uint64_t seed) {
  Matrix rows = Matrix::uninitialized(chosen.size(), table.cols() + 1);
  Random random(seed);
  const auto threshold = static_cast<std::uint64_t>(dropout * 0x1.0p16);
  const float raised = static_cast<float>(1 / (1 - dropout));
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto from = table.row(chosen[i]);
    const auto to = rows.row(i);
    std::ranges::copy(from, to.begin());
    to.back() = 1;
    if (threshold == 0) continue;
    std::uint64_t bits = 0;
    for (std::size_t j = 0; j < from.size(); ++j) {
      if (j % 4 == 0) bits = random.bits();
      to[j] = (bits & 0xffff) < threshold ? 0.0f : raised * to[j];
      bits >>= 16;
    }
  }
  return rows;
}

/// Brings rows to length 1; gives the lengths that they had.
std::vector<float> to_units(MatrixView rows) {
  std::vector<float> lengths(rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const auto row = rows.row(i);
    lengths[i] = std::max(std::sqrt(dot(row, row)), 1e-20f);
    for (float& value : row) value /= lengths[i];
  }
  return lengths;
}

/// From the gradient by u(z), times `factor`, to that by z.
void through_normalization(MatrixView gradient, ConstMatrixView units, std::span<const float> lengths, double factor) {
  for (std::size_t i = 0; i < gradient.rows(); ++i) {
    const auto row = gradient.row(i);
    const auto unit = units.row(i);
    const float along = dot(row, unit), scale = static_cast<float>(factor) / lengths[i];
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = (row[j] - along * unit[j]) * scale;
  }
}

/// Adds gradientᵀ x inputs to some columns of a sum, from `first` on.
void add_outer(ConstMatrixView gradient, ConstMatrixView inputs, std::size_t first, MatrixD& sum) {
  const Matrix by_z = transpose<float>(gradient), flipped = transpose<float>(inputs);
  constexpr std::size_t kRows = 64;
  Matrix product = Matrix::uninitialized(by_z.rows(), flipped.rows());
  ThreadPool::current().for_chunks(by_z.rows(), kRows, [&](std::size_t begin, std::size_t end, int) {
    multiply_abt_into(by_z.view().slice(begin, end), flipped, product.view().slice(begin, end));
  });
  for (std::size_t i = 0; i < product.rows(); ++i)
    for (std::size_t j = 0; j < product.cols(); ++j) sum(i, first + j) += product(i, j);
}

Matrix columns_of(ConstMatrixView w, std::size_t first, std::size_t count) {
  Matrix some = Matrix::uninitialized(w.rows(), count);
  for (std::size_t i = 0; i < w.rows(); ++i) std::ranges::copy(w.row(i).subspan(first, count), some.row(i).begin());
  return some;
}

}  // namespace

struct ContrastiveObjective::Batch {
  std::vector<Lexicon::Pair> pairs;
  std::vector<std::uint32_t> columns;    // the targets that the batch is compared with
  std::vector<std::uint32_t> column_of;  // of each target
  Matrix gathered;                       // their rows, unless they are all; mapped, where they are
  ConstMatrixView table;
  Matrix inputs;   // pairs x (d_s + 1)
  Matrix units;    // u(z), pairs x d_t
  Matrix by_unit;  // t n times the gradient by u(z)
  std::vector<float> lengths;
  std::vector<double> losses;
  // Where both sides move:
  Matrix table_inputs;               // targets x (d_t + 1)
  std::vector<float> table_lengths;  // of V y + c
  Matrix by_logit;                   // t n times the gradient by u(z)·u(V y + c), pairs x targets
  Matrix by_table;                   // t n times the gradient by u(V y + c)
};

ContrastiveObjective::ContrastiveObjective(ConstMatrixView inputs, ConstMatrixView targets,
                                           std::vector<Lexicon::Pair> pairs, const Neighbors& near, MatrixD start,
                                           const ContrastiveOptions& options)
    : inputs_(inputs),
      targets_(targets),
      pairs_(std::move(pairs)),
      near_(near),
      start_(std::move(start)),
      options_(options),
      matches_(matches_of(inputs.rows(), targets, pairs_)),
      every_target_(targets.rows()) {
  std::iota(every_target_.begin(), every_target_.end(), 0u);
}

void ContrastiveObjective::choose_columns(Batch& b, std::span<const std::size_t> batch, std::uint64_t seed) const {
  b.column_of.assign(targets_.rows(), kNoColumn);
  const auto take = [&](std::uint32_t row) {
    if (b.column_of[row] != kNoColumn) return;
    b.column_of[row] = static_cast<std::uint32_t>(b.columns.size());
    b.columns.push_back(row);
  };
  for (const std::size_t pair : batch) take(pairs_[pair].target);
  Random random(seed);
  if (options_.hard > 0 && near_.found > 0)
    for (const std::size_t pair : batch)
      if (pairs_[pair].target < near_.queries)
        for (std::size_t h = 0; h < options_.hard; ++h)
          take(near_.ids_of(pairs_[pair].target)[random.index(near_.found)]);
  for (const std::size_t row : random.sample(targets_.rows(), std::min(options_.negatives, targets_.rows())))
    take(static_cast<std::uint32_t>(row));
  if (options_.both_sides) return;
  b.gathered = gather_rows(targets_, b.columns);
  b.table = b.gathered;
}

ContrastiveObjective::Batch ContrastiveObjective::make_batch(std::span<const std::size_t> batch, bool whole) const {
  Batch b;
  for (const std::size_t pair : batch) b.pairs.push_back(pairs_[pair]);
  const std::uint64_t seed = whole ? 0 : seed_of(options_.seed, batch);
  if (whole || options_.negatives == 0) {
    b.columns = b.column_of = every_target_;
    b.table = targets_;
  } else {
    choose_columns(b, batch, stream_seed(seed, 0));
  }
  std::vector<std::uint32_t> rows;
  for (const std::size_t pair : batch) rows.push_back(pairs_[pair].source);
  const double dropout = whole ? 0 : options_.dropout;
  b.inputs = with_dropout(inputs_, rows, dropout, stream_seed(seed, 1));
  if (options_.both_sides) b.table_inputs = with_dropout(targets_, b.columns, dropout, stream_seed(seed, 2));
  b.units = Matrix::uninitialized(batch.size(), start_.rows());
  b.by_unit = Matrix::uninitialized(batch.size(), start_.rows());
  b.lengths.resize(batch.size());
  b.losses.resize(batch.size());
  return b;
}

double ContrastiveObjective::softmax_gradient(const Batch& b, std::size_t i, std::span<float> logits) const {
  const Lexicon::Pair& pair = b.pairs[i];
  const std::size_t own = b.column_of[pair.target];
  const auto inverse = static_cast<float>(1 / options_.temperature);
  float own_logit = logits[own] * inverse;
  for (const std::uint32_t row : matches_[pair.source])
    if (const std::uint32_t column = b.column_of[row]; column != kNoColumn && column != own) logits[column] = -1e30f;
  // The near targets that are here share what smoothing takes from the own one.
  std::vector<std::pair<std::uint32_t, float>> shares;
  if (options_.smoothing > 0 && pair.target < near_.queries) {
    const auto ids = near_.ids_of(pair.target);
    const auto scores = near_.scores_of(pair.target);
    double sum = 0;
    for (std::size_t k = 0; k < ids.size(); ++k) {
      const std::uint32_t column = b.column_of[ids[k]];
      if (column == kNoColumn || logits[column] < -1e29f || column == own) continue;
      shares.emplace_back(column, std::exp((scores[k] - 1) / static_cast<float>(options_.near_temperature)));
      sum += shares.back().second;
    }
    for (auto& [column, share] : shares) share = sum > 0 ? static_cast<float>(options_.smoothing * share / sum) : 0.0f;
  }
  double wanted = 0, given = 0;
  for (const auto& [column, share] : shares) {
    wanted += double{share} * logits[column] * inverse;
    given += share;
  }
  wanted += (1 - given) * own_logit;
  float most = own_logit;
  for (const float logit : logits) most = std::max(most, logit * inverse);
  double sum = 0;
  for (float& logit : logits) {
    logit = std::exp(logit * inverse - most);
    sum += logit;
  }
  const auto scale = static_cast<float>(1 / sum);
  for (float& logit : logits) logit *= scale;
  for (const auto& [column, share] : shares) logits[column] -= share;
  logits[own] -= static_cast<float>(1 - given);
  return std::log(sum) + most - wanted;
}

void ContrastiveObjective::map_table(Batch& b, ConstMatrixView v) const {
  b.gathered = Matrix::uninitialized(b.table_inputs.rows(), v.rows());
  b.table_lengths.resize(b.table_inputs.rows());
  ThreadPool::current().for_chunks(b.gathered.rows(), kRowsOfChunk, [&](std::size_t begin, std::size_t end, int) {
    const MatrixView rows = b.gathered.view().slice(begin, end);
    multiply_abt_into(b.table_inputs.view().slice(begin, end), v, rows);
    std::ranges::copy(to_units(rows), b.table_lengths.begin() + static_cast<std::ptrdiff_t>(begin));
  });
  b.table = b.gathered;
  b.by_logit = Matrix::uninitialized(b.pairs.size(), b.table.rows());
}

void ContrastiveObjective::table_gradient(Batch& b) const {
  const Matrix by_target = transpose(b.by_logit);
  b.by_table = Matrix::uninitialized(b.table.rows(), b.table.cols());
  ThreadPool::current().for_chunks(b.table.rows(), kRowsOfChunk, [&](std::size_t begin, std::size_t end, int) {
    const Matrix product = multiply(by_target.view().slice(begin, end), b.units);
    std::ranges::copy(product.elements(), b.by_table.row(begin).data());
  });
}

void ContrastiveObjective::forward(Batch& b, std::size_t begin, std::size_t end, ConstMatrixView w) const {
  const MatrixView units = b.units.view().slice(begin, end);
  multiply_abt_into(b.inputs.view().slice(begin, end), w, units);
  std::ranges::copy(to_units(units), b.lengths.begin() + static_cast<std::ptrdiff_t>(begin));
  Matrix own;
  if (!options_.both_sides) own = Matrix::uninitialized(end - begin, b.table.rows());
  const MatrixView logits = options_.both_sides ? b.by_logit.view().slice(begin, end) : own.view();
  multiply_abt_into(units, b.table, logits);
  for (std::size_t i = begin; i < end; ++i) b.losses[i] = softmax_gradient(b, i, logits.row(i - begin));
  const Matrix product = multiply(logits, b.table);
  std::ranges::copy(product.elements(), b.by_unit.row(begin).data());
}

void ContrastiveObjective::backward(Batch& b) const {
  const std::size_t n = b.pairs.size();
  Matrix own = Matrix::uninitialized(n, targets_.cols());
  for (std::size_t i = 0; i < n; ++i) std::ranges::copy(targets_.row(b.pairs[i].target), own.row(i).begin());
  Matrix scores = multiply_abt(own, b.units);
  std::vector<double> losses(n);
  ThreadPool::current().for_chunks(n, kRowsOfChunk, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = scores.row(i);
      double most = -1e30, sum = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i && std::ranges::binary_search(matches_[b.pairs[j].source], b.pairs[i].target)) row[j] = -1e30f;
        most = std::max(most, row[j] / options_.temperature);
      }
      const double own_logit = row[i] / options_.temperature;
      for (float& value : row) {
        value = static_cast<float>(std::exp(value / options_.temperature - most));
        sum += value;
      }
      for (float& value : row) value = static_cast<float>(options_.backward * value / sum);
      row[i] -= static_cast<float>(options_.backward);
      losses[i] = options_.backward * (std::log(sum) + most - own_logit);
    }
  });
  const Matrix product = multiply(transpose(scores), own);
  for (std::size_t i = 0; i < n; ++i) b.losses[i] += losses[i];
  for (std::size_t i = 0; i < product.size(); ++i) b.by_unit.data()[i] += product.data()[i];
}

void ContrastiveObjective::add(Batch b, ConstMatrixView w, ObjectiveValue& value) const {
  const std::size_t n = b.pairs.size(), own_columns = b.inputs.cols();
  if (options_.both_sides) map_table(b, columns_of(w, own_columns, w.cols() - own_columns));
  const Matrix own_map = columns_of(w, 0, own_columns);
  ThreadPool::current().for_chunks(n, kRowsOfChunk,
                                   [&](std::size_t begin, std::size_t end, int) { forward(b, begin, end, own_map); });
  if (options_.backward > 0) backward(b);
  through_normalization(b.by_unit.view(), b.units, b.lengths, 1 / options_.temperature);
  add_outer(b.by_unit, b.inputs, 0, value.gradient_sum);
  if (options_.both_sides) {
    table_gradient(b);
    through_normalization(b.by_table.view(), b.table, b.table_lengths, 1 / options_.temperature);
    add_outer(b.by_table, b.table_inputs, own_columns, value.gradient_sum);
  }
  for (const double loss : b.losses) value.loss_sum += loss;
  value.pairs += static_cast<double>(n);
}

void ContrastiveObjective::add_decay(ConstMatrixViewD w, ObjectiveValue& value) const {
  if (options_.decay == 0) return;
  for (std::size_t i = 0; i < start_.size(); ++i) {
    const double away = w.data()[i] - start_.data()[i];
    value.loss_sum += value.pairs * options_.decay * away * away;
    value.gradient_sum.data()[i] += 2 * value.pairs * options_.decay * away;
  }
}

ObjectiveValue ContrastiveObjective::evaluate(ConstMatrixViewD w) {
  const Matrix rounded = to_float(w);
  ObjectiveValue value{.gradient_sum = MatrixD(w.rows(), w.cols())};
  std::vector<std::size_t> all(pairs_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t begin = 0; begin < all.size(); begin += kRowsOfBlock) {
    const std::size_t count = std::min(kRowsOfBlock, all.size() - begin);
    add(make_batch(std::span(all).subspan(begin, count), true), rounded, value);
  }
  add_decay(w, value);
  return value;
}

ObjectiveValue ContrastiveObjective::evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) {
  ObjectiveValue value{.gradient_sum = MatrixD(w.rows(), w.cols())};
  add(make_batch(batch, false), to_float(w), value);
  add_decay(w, value);
  return value;
}

}  // namespace wordbridge
