#pragma once
#include <cstdint>
#include <string>

#include "cli/options/table_format.h"
#include "cli/session.h"
#include "wordbridge/common_space.h"

namespace wordbridge::cli {

class Arguments;

/// How unevenly target words are chosen, by nearest neighbor and by a criterion that holds hubs back.
struct HubnessMeasure {
  std::string criterion = "csls";  // beside nn
  std::uint64_t neighbors = 10;    // targets that a source word chooses, and k of csls
  std::uint64_t hubs = 10, queries = 0;

  /// --hubs and --queries.
  void declare(Arguments& arguments);
  /// Measures and prints.
  void run(Session& session, const CommonSpace& space, const TableFormat& format) const;
};

}  // namespace wordbridge::cli
