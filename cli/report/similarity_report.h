#pragma once
#include <span>
#include <string>
#include <vector>

#include "cli/report/table.h"
#include "evaluation/similarity.h"

namespace wordbridge {

/// One set measured in one or more spaces.
struct SimilarityOfSet {
  std::string set;  // its name
  struct InSpace {
    std::string space;  // "original", "aligned"
    Similarity result;
  };
  std::vector<InSpace> results;  // the same spaces in each set
};

/// A row for each set, and the mean of them where there are several; columns with the pairs found and, for each space,
/// Spearman's correlation, then Pearson's.
Table to_table(std::span<const SimilarityOfSet> sets);

/// [{"set": ..., "pairs": ..., "found": ..., "spaces": {"original": {"spearman": ..., "pearson": ...}}}]
std::string to_json(std::span<const SimilarityOfSet> sets);

}  // namespace wordbridge
