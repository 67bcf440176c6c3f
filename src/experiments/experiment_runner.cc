#include "experiments/experiment_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/option_error.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

struct Task {
  std::size_t row, column;
  CellSettings settings;
  std::string order;  // tasks over the same vectors follow each other
};

std::vector<Task> tasks_of(const Experiment& experiment) {
  std::vector<Task> tasks;
  for (std::size_t row = 0; row < experiment.rows.size(); ++row)
    for (std::size_t column = 0; column < experiment.columns.size(); ++column)
      for (ExperimentSettings& values : experiment.cell(row, column)) {
        CellSettings settings(std::move(values));
        std::string order = settings.text("source_vectors") + " " + settings.text("source") + " " +
                            settings.text("target") + " " + settings.text("align");
        tasks.push_back({row, column, std::move(settings), std::move(order)});
      }
  std::ranges::stable_sort(tasks, {}, &Task::order);
  return tasks;
}

/// A running mean, in the order of the measurements.
void add(const Measurement& measurement, ExperimentResult::Cell& cell) {
  cell.value = (cell.value.value_or(0) * static_cast<double>(cell.measured) + measurement.value) /
               static_cast<double>(cell.measured + 1);
  ++cell.measured;
  cell.coverage =
      cell.wanted == 1 ? measurement.coverage : fmt::format("{} of {} measurements", cell.measured, cell.wanted);
}

}  // namespace

ExperimentRunner::ExperimentRunner(const DataFiles& files, ResultCache& cache, const ExperimentOptions& options)
    : observer_(options.observer != nullptr ? *options.observer : silent_),
      measurer_(files, cache, options.hubness, observer_) {}

ExperimentResult ExperimentRunner::run(const Experiment& experiment) {
  const std::vector<Task> tasks = tasks_of(experiment);
  ExperimentResult result;
  result.experiment = experiment;
  result.cells.assign(experiment.rows.size(), std::vector<ExperimentResult::Cell>(experiment.columns.size()));
  for (const Task& task : tasks) ++result.cells[task.row][task.column].wanted;

  Stage stage(experiment.name);
  std::map<std::string, std::string> reasons;  // with the missing file
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Task& task = tasks[i];
    const std::string& row = experiment.rows[task.row].name;
    const std::string& column = experiment.columns[task.column].name;
    const std::string cell = fmt::format("{}, {}", row, column);
    stage.update(i, tasks.size(), cell);
    try {
      const Measurement measurement =
          measurer_.measure(experiment.measure, task.settings, fmt::format("{}: {}", experiment.name, cell));
      add(measurement, result.cells[task.row][task.column]);
      observer_.measured(experiment, row, column, measurement.value);
    } catch (const MissingFile& missing) {
      reasons.emplace(missing.what(), missing.file());
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& error) {
      reasons.emplace(fmt::format("{}: {}", cell, command_line_text(error)), "");
    }
  }
  for (const auto& [text, file] : reasons) result.reasons.push_back({text, file});
  result.mappings = measurer_.take_mappings();
  return result;
}

ExperimentResult run_experiment(const Experiment& experiment, const DataFiles& files, ResultCache& cache,
                                const ExperimentOptions& options) {
  return ExperimentRunner(files, cache, options).run(experiment);
}

}  // namespace wordbridge
