#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/experiment.h"
#include "experiments/measurement_records.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

/// A mapping with which word translation was measured.
struct MeasuredMapping {
  std::string name;  // of the cell that first wanted it: "muse: RCSLS, en-es"
  std::string key;   // in the cache
  Provenance provenance;
  std::vector<HubnessRecord> hubness;                     // by nn and csls; empty where nobody asked for it
  std::map<std::string, TranslationRecord> translations;  // by criterion
};

/// What came out of an experiment, cell by cell.
struct ExperimentResult {
  struct Cell {
    std::optional<double> value;  // the mean of what could be measured; nullopt if nothing could
    std::size_t measured = 0;     // how many measurements it is the mean of
    std::size_t wanted = 0;       // of how many; 0 for a cell that only the paper has
    std::string coverage;         // "1471 of 1500 source words"
  };

  /// Why something could not be measured.
  struct Reason {
    std::string text;
    std::string missing_file = {};  // the file, and where it is published, if it is one that is missing
  };

  Experiment experiment;
  std::vector<std::vector<Cell>> cells;   // by row and column
  std::vector<Reason> reasons;            // each once
  std::vector<MeasuredMapping> mappings;  // in the order of their coming

  std::size_t measured() const;
  std::size_t wanted() const;
};

/// The mappings of several experiments, each once, under the name that it had first.
std::vector<MeasuredMapping> merged_mappings(std::span<const ExperimentResult> results);

/// The mean of a row's cells and of the paper's numbers. The paper's is over the same cells where some are missing, so
/// that the two can be compared; where none or all are there, the average that the paper prints, if it does.
struct RowAverage {
  std::optional<double> value, paper;
  std::size_t cells = 0;
};
RowAverage average_of(const ExperimentResult& result, std::size_t row);

}  // namespace wordbridge
