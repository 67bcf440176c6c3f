#pragma once
#include "cli/report/table.h"
#include "evaluation/drift.h"

namespace wordbridge {

/// A row for each word, for people: with its first neighbors before and after.
Table to_table(const Drift& drift);

/// A row for each word, for programs: fields are escaped as in tab-separated lines, neighbors stand between blanks, and
/// blanks within them are escaped too.
Table fields_table(const Drift& drift);

}  // namespace wordbridge
