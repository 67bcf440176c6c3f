#include "wordbridge/normalizer.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "parallel/thread_pool.h"
#include "vectors/table_sums.h"
#include "vectors/unit_row.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kRowBlock = 4096;

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
  const RowKernel& kernel = row_kernel();
  ThreadPool::current().for_chunks(rows.rows(), kRowBlock, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      if (step == Normalizer::Step::unit)
        kernel.to_unit(rows.row(i).data(), rows.cols());
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
                       "' is no chain of 'unit' and 'center' joined by commas, nor 'none'");
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
