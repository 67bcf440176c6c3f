#pragma once
#include <string>

#include "cli/report/mapping_findings.h"

namespace wordbridge::cli {

/// All of it as one HTML file.
std::string mapping_page(const MappingFindings& findings);

}  // namespace wordbridge::cli
