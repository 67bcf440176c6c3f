#pragma once
#include <string>
#include <string_view>

#include "cli/report/table.h"
#include "evaluation/sentence_translation.h"

namespace wordbridge {

/// A row for each direction and criterion: P@1, P@5, P@10 with their intervals.
Table to_table(const SentenceEvaluation& evaluation);

/// What goes with it, a line: how words were made and weighted, and how many sentences had none.
std::string remark_of(const SentenceEvaluation& evaluation, std::string_view tokenization);

}  // namespace wordbridge
