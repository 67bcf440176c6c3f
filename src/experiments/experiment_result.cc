#include "experiments/experiment_result.h"

#include <algorithm>

namespace wordbridge {

std::size_t ExperimentResult::measured() const {
  std::size_t count = 0;
  for (const auto& row : cells)
    for (const Cell& cell : row) count += cell.measured;
  return count;
}

std::size_t ExperimentResult::wanted() const {
  std::size_t count = 0;
  for (const auto& row : cells)
    for (const Cell& cell : row) count += cell.wanted;
  return count;
}

std::vector<MeasuredMapping> merged_mappings(std::span<const ExperimentResult> results) {
  std::vector<MeasuredMapping> merged;
  for (const ExperimentResult& result : results)
    for (const MeasuredMapping& mapping : result.mappings) {
      const auto known = std::ranges::find(merged, mapping.key, &MeasuredMapping::key);
      if (known == merged.end())
        merged.push_back(mapping);
      else
        for (const auto& [criterion, record] : mapping.translations) known->translations[criterion] = record;
    }
  return merged;
}

RowAverage average_of(const ExperimentResult& result, std::size_t row) {
  const auto& cells = result.cells[row];
  const auto& line = result.experiment.rows[row];
  RowAverage average;
  double sum = 0, paper_sum = 0;
  std::size_t papers = 0;
  for (const auto& cell : cells) average.cells += cell.value.has_value();
  const bool some = average.cells > 0 && average.cells < cells.size();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].value) sum += *cells[i].value;
    if (line.paper[i] && (cells[i].value || !some)) {
      paper_sum += *line.paper[i];
      ++papers;
    }
  }
  if (average.cells > 0) average.value = sum / static_cast<double>(average.cells);
  if (!some && line.paper_average)
    average.paper = line.paper_average;
  else if (papers > 0 && papers == (some ? average.cells : cells.size()))
    average.paper = paper_sum / static_cast<double>(papers);
  return average;
}

}  // namespace wordbridge
