#pragma once
#include <string>
#include <vector>

#include "experiments/experiment_result.h"

namespace wordbridge::cli {

/// The results as one HTML file: tables, figures, and for each mapping its provenance, the course of its training, its
/// hubness, and the translations it was surest of. `sample`: measured on the small data of data/sample, which is said.
std::string report_page(const std::vector<ExperimentResult>& results, bool sample);

}  // namespace wordbridge::cli
