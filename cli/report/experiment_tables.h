#pragma once
#include <string>

#include "cli/report/table.h"
#include "experiments/experiment_result.h"

namespace wordbridge {

/// For people: "64.1 (84.1)", measured and, in parentheses, the paper's; "-" for what is missing on either side.
Table to_table(const ExperimentResult& result);
/// For programs: a line a cell with row, column, measured, paper, coverage.
Table to_long_table(const ExperimentResult& result);
std::string to_json(const ExperimentResult& result);
/// What goes with the table: the note, what is missing and why. Lines with their ends.
std::string notes_of(const ExperimentResult& result);

}  // namespace wordbridge
