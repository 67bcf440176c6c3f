#pragma once
#include <string>
#include <vector>

#include "wordbridge/mapping.h"

namespace wordbridge::cli {

/// "rcsls: 300 x 300, mean cosine of the pairs 0.612"
std::string fit_line(const Mapping& mapping);

/// A 95% interval for a share of which `percent` of `count` were right (Wilson's), in percent.
struct Interval {
  double low, high;
};
Interval wilson_interval(double percent, std::size_t count);

/// How it went, line by line: how good the start and the chosen settings were on words held out; with `verbose` also
/// the settings that were tried, as a table below a line that says what was measured, the chosen row marked; how good
/// each try of a method without a lexicon looked; the rounds of refinement. Warnings are not among them.
std::vector<std::string> report_lines(const AlignmentReport& report, bool verbose);

}  // namespace wordbridge::cli
