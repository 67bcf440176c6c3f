#pragma once
#include <string>

#include "wordbridge/mapping.h"

namespace wordbridge::cli {

/// What a mapping is and where it comes from, in some lines for people.
std::string mapping_to_text(const Mapping& mapping, const std::string& name);
/// The header of its file, and the singular values of its maps.
std::string mapping_to_json(const Mapping& mapping);

}  // namespace wordbridge::cli
