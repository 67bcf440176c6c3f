#pragma once
#include <cstddef>
#include <limits>
#include <vector>

#include "search/neighbor_search.h"
#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// Some queries of lazy CSLS, with what all its steps need to know of them.
struct CslsBatch {
  ConstMatrixView queries, sources, targets;
  std::size_t k = 0;                 // source words that r_s is a mean over
  std::vector<double> query_means;   // r_t(q)
  double mean_slack = 0;             // of lower bounds of r_s (bound_slacks.h)
  std::vector<double> score_slacks;  // of upper bounds of the scores of each query

  /// An upper bound of the CSLS score of a query for a target, from their fp32 product and a lower bound of r_s.
  double upper_bound(std::size_t query, double product, double lower_mean) const {
    return 2 * product - (query_means[query] + lower_mean) + score_slacks[query];
  }
};

/// What is known of r_s(y) of each target y before it is computed; what one query learns serves all.
struct MeanBounds {
  explicit MeanBounds(std::size_t targets)
      : mean(targets, -std::numeric_limits<float>::infinity()),
        kth_score(targets, -std::numeric_limits<float>::infinity()) {}

  std::vector<float> mean;       // mean[y] <= r_s(y)
  std::vector<float> kth_score;  // k source words score at least this with y: the exact search can start from it
};

/// A target that may be among the best of a query: r_s is at least `mean`, so it scores at most `upper_bound`.
struct OpenTarget {
  double upper_bound, mean;
  float kth_score;  // as in MeanBounds
  WordId id;
};

/// The open targets of each query.
using OpenTargets = std::vector<std::vector<OpenTarget>>;

}  // namespace wordbridge
