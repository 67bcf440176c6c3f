#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "cli/evaluated_spaces.h"
#include "cli/options/table_format.h"
#include "cli/session.h"
#include "evaluation/analogy.h"

namespace wordbridge::cli {

class Arguments;

/// Analogies answered in one or more spaces.
struct AnalogyMeasure {
  std::vector<std::string> files = {};  // of questions
  std::string method = "3cosadd", case_policy = "lower";
  std::uint64_t limit = 0;  // words that exist; 0: all

  /// --method and --vocabulary-limit.
  void declare(Arguments& arguments);
  /// All questions.
  AnalogyQuestions read(Session& session, bool lenient) const;
  /// Measures and prints; writes the answer to each question to `details`, where that is open.
  void run(Session& session, const AnalogyQuestions& questions, const std::vector<NamedSpace>& spaces,
           const TableFormat& format, std::optional<AtomicFile>& details) const;
};

}  // namespace wordbridge::cli
