#pragma once
#include <string>
#include <vector>

#include "wordbridge/mapping.h"

namespace wordbridge::cli {

/// "rcsls: 300 x 300, mean cosine of the pairs 0.612"
std::string fit_line(const Mapping& mapping);

/// How it went, line by line: the settings that were tried and how good each was, as a table below a line that says
/// what was measured, the chosen row marked; how good each try of a method without a lexicon looked; the rounds of
/// refinement. Warnings are not among them.
std::vector<std::string> report_lines(const AlignmentReport& report);

}  // namespace wordbridge::cli
