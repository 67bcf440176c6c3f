#pragma once
#include <string>

#include "cli/report/table.h"
#include "wordbridge/adapt.h"

namespace wordbridge {

/// The kinds of adapter beside each other, the chosen one marked.
Table adapt_table(const AdaptReport& report);
/// What was measured on what, a line with its end.
std::string adapt_note(const AdaptReport& report);
/// The learning curve, and what it says of more pairs, a line with its end.
Table curve_table(const AdaptReport& report);
std::string curve_note(const AdaptReport& report);
/// All of it, for programs.
std::string adapt_json(const AdaptReport& report);

}  // namespace wordbridge
