#pragma once
#include <string>
#include <vector>

#include "experiments/experiment.h"

namespace wordbridge {

/// The names of all data files that the cells of an experiment may ask for, in the order of the first that does.
std::vector<std::string> needed_files(const Experiment& experiment);
/// Of the experiments in some files, each name once.
std::vector<std::string> needed_files(const std::vector<std::string>& experiments);

}  // namespace wordbridge
