#pragma once
#include <string>

#include "mapping/composition.h"

namespace wordbridge::cli {

class Session;

/// Says what the mapping costs, and writes it.
void write_derived(Session& session, const DerivedMapping& derived, const std::string& output);

}  // namespace wordbridge::cli
