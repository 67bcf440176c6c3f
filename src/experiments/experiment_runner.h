#pragma once
#include <string>

#include "experiments/cell_measurer.h"
#include "experiments/data_files.h"
#include "experiments/experiment.h"
#include "experiments/experiment_observer.h"
#include "experiments/experiment_result.h"
#include "experiments/result_cache.h"

namespace wordbridge {

struct ExperimentOptions {
  bool hubness = false;                    // measure that of every mapping, too
  ExperimentObserver* observer = nullptr;  // told what happens; nullptr: nobody. Must outlive the work
};

/// Runs experiments one after the other: finds the files, aligns and measures what is not in the cache, and goes on
/// where something is missing. They share the vectors that are in memory.
class ExperimentRunner {
 public:
  /// Both must outlive it.
  ExperimentRunner(const DataFiles& files, ResultCache& cache, const ExperimentOptions& options = {});

  /// In the current context, whose seed is part of what results depend on.
  ExperimentResult run(const Experiment& experiment);

 private:
  ExperimentObserver silent_;
  ExperimentObserver& observer_;
  CellMeasurer measurer_;
};

/// One alone.
ExperimentResult run_experiment(const Experiment& experiment, const DataFiles& files, ResultCache& cache,
                                const ExperimentOptions& options = {});

}  // namespace wordbridge
