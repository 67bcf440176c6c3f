#pragma once
#include <string>
#include <vector>

#include "cli/evaluated_spaces.h"
#include "cli/options/table_format.h"
#include "cli/session.h"
#include "evaluation/similarity.h"

namespace wordbridge::cli {

class Arguments;

/// Agreement of cosines with what people say, in one or more spaces.
struct SimilarityMeasure {
  std::vector<std::string> files = {};  // of pairs
  bool average_phrases = false;
  std::string case_policy = "lower";

  /// --average-phrases.
  void declare(Arguments& arguments);
  std::vector<SimilarityPairs> read(Session& session, bool lenient) const;
  /// Measures and prints; `second` is the side of the second words.
  void run(Session& session, const std::vector<SimilarityPairs>& sets, const std::vector<NamedSpace>& spaces,
           Side second, const TableFormat& format) const;
};

}  // namespace wordbridge::cli
