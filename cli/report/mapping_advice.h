#pragma once
#include <string>
#include <vector>

#include "cli/report/mapping_findings.h"

namespace wordbridge::cli {

/// What to try next, the most promising first: sentences with the options to use.
std::vector<std::string> advice(const MappingFindings& findings);

}  // namespace wordbridge::cli
