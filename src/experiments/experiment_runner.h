#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result_cache.h"
#include "experiments/cell_settings.h"
#include "experiments/data_files.h"
#include "experiments/experiment.h"
#include "experiments/experiment_result.h"
#include "experiments/mapping_maker.h"

namespace wordbridge {

/// One measurement of a cell.
struct Measurement {
  double value = 0;
  std::string coverage;  // "1471 of 1500 source words"
};

/// Measures what settings ask for, as far as it is not in the cache.
class CellMeasurer {
 public:
  /// `hubness`: measure that of every mapping, too.
  CellMeasurer(const DataFiles& files, ResultCache& cache, bool hubness, ExperimentObserver& observer);

  /// `measure`: "translation", "analogy" or "similarity"; `cell` is for people. MissingFile where a file is not there.
  Measurement measure(const std::string& measure, const CellSettings& settings, const std::string& cell);
  /// The mappings that word translation was measured with since this was last asked.
  std::vector<MeasuredMapping> take_mappings() { return std::exchange(mappings_, {}); }

 private:
  using KeyParts = std::map<std::string, std::string>;

  Measurement translation(const CellSettings& settings, const std::string& cell);
  Measurement analogy(const CellSettings& settings);
  Measurement similarity(const CellSettings& settings);
  void note(const CellSettings& settings, const CachedMapping& mapping, const std::string& cell,
            const TranslationRecord& record);
  std::vector<HubnessRecord> hubness(const CellSettings& settings, const CachedMapping& mapping);
  LoadedVectors::Parts parts_of_space(const CellSettings& settings, const CachedMapping& mapping) const;

  const DataFiles& files_;
  ResultCache& cache_;
  bool wants_hubness_;
  LoadedVectors loaded_;
  MappingMaker maker_;
  std::vector<MeasuredMapping> mappings_;
};

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
