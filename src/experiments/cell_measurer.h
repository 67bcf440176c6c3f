#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "experiments/cell_settings.h"
#include "experiments/experiment_result.h"
#include "experiments/loaded_vectors.h"
#include "experiments/mapping_maker.h"
#include "experiments/result_cache.h"

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

}  // namespace wordbridge
