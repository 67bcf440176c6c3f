#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "experiments/experiment_result.h"

namespace wordbridge::cli {

/// How the results came about.
struct ReportOrigin {
  std::vector<std::string> experiments;  // files and folders
  std::string data;                      // a folder
  bool sample = false;                   // measured on the small data of data/sample, which is said
  std::uint64_t seed = 1;
};

/// The results as one HTML file: a summary, tables, figures, and for each mapping its provenance, the course of its
/// training, its hubness, and the translations it was surest of.
std::string report_page(const std::vector<ExperimentResult>& results, const ReportOrigin& origin);

}  // namespace wordbridge::cli
