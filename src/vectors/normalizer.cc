#include "wordbridge/normalizer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "parallel/thread_pool.h"
#include "vectors/column_sums.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kRowBlock = 4096;

/// In double (squares of floats neither overflow nor vanish there), over lanes whose order is fixed: lane l sums the
/// elements j = l mod 8, so that sums need not wait for each other.
double squared_length(std::span<const float> row) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> lanes{};
  const std::size_t whole = row.size() / kLanes * kLanes;
  for (std::size_t j = 0; j < whole; j += kLanes)
    for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += static_cast<double>(row[j + l]) * row[j + l];
  for (std::size_t j = whole; j < row.size(); ++j) lanes[j - whole] += static_cast<double>(row[j]) * row[j];
  for (std::size_t half = kLanes / 2; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  return lanes[0];
}

void unit_row(std::span<float> row) {
  const double square = squared_length(row);
  if (square == 0) return;
  const double scale = 1 / std::sqrt(square);
  for (float& value : row) value = static_cast<float>(value * scale);
}

void center_row(std::span<float> row, std::span<const float> mean) {
  if (is_zero(row)) return;
  for (std::size_t j = 0; j < row.size(); ++j) row[j] -= mean[j];
}

/// Over the rows that are not zero.
std::vector<float> column_means(ConstMatrixView table) {
  std::vector<double> sums(table.cols(), 0);
  std::size_t rows = 0;
  for (const ColumnSums& block : column_sums(table)) {
    rows += block.rows;
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += block.sums[j];
  }
  return means_of(sums, rows);
}

void apply_step(Normalizer::Step step, MatrixView rows, std::span<const float> mean) {
  ThreadPool::current().for_chunks(rows.rows(), kRowBlock, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      if (step == Normalizer::Step::unit)
        unit_row(rows.row(i));
      else
        center_row(rows.row(i), mean);
    }
  });
}

}  // namespace

std::span<const Normalizer::StepInfo> Normalizer::known_steps() {
  static constexpr std::array<StepInfo, 2> kSteps = {
      {{Step::unit, "unit", "each vector to length 1"}, {Step::center, "center", "the mean vector is subtracted"}}};
  return kSteps;
}

std::vector<Normalizer::Step> Normalizer::parse(std::string_view chain) {
  std::vector<Step> steps;
  if (chain == "none") return steps;
  for (std::string_view rest = chain;;) {
    const std::size_t comma = rest.find(',');
    const auto known = std::ranges::find(known_steps(), rest.substr(0, comma), &StepInfo::name);
    if (known == known_steps().end())
      throw UsageError("normalization '" + std::string(chain) +
                       "': a chain of 'unit' and 'center' joined by commas, or 'none', is wanted");
    steps.push_back(known->step);
    if (comma == std::string_view::npos) return steps;
    rest.remove_prefix(comma + 1);
  }
}

Normalizer Normalizer::fit(std::span<const Step> steps, MatrixView table) {
  Normalizer normalizer;
  for (const Step step : steps) {
    normalizer.steps_.push_back(step);
    if (step == Step::center) normalizer.means_.push_back(column_means(table));
    apply_step(step, table, step == Step::center ? normalizer.means_.back() : std::vector<float>{});
  }
  return normalizer;
}

Normalizer Normalizer::from_parts(std::vector<Step> steps, std::vector<std::vector<float>> means) {
  assert(static_cast<std::size_t>(std::count(steps.begin(), steps.end(), Step::center)) == means.size());
  Normalizer normalizer;
  normalizer.steps_ = std::move(steps);
  normalizer.means_ = std::move(means);
  return normalizer;
}

void Normalizer::apply(MatrixView rows) const {
  std::size_t next_mean = 0;
  for (const Step step : steps_) {
    std::span<const float> mean;
    if (step == Step::center) mean = means_[next_mean++];
    assert(step != Step::center || mean.size() == rows.cols());
    apply_step(step, rows, mean);
  }
}

std::string Normalizer::name() const {
  std::string text;
  for (const Step step : steps_) {
    if (!text.empty()) text += ',';
    text += std::ranges::find(known_steps(), step, &StepInfo::step)->name;
  }
  return text.empty() ? "none" : text;
}

void normalize_rows(MatrixView rows) { apply_step(Normalizer::Step::unit, rows, {}); }

}  // namespace wordbridge
