#pragma once
#include <algorithm>
#include <functional>
#include <vector>

#include "retrieval/csls/bounds.h"
#include "search/rounding.h"
#include "space/neighborhood_means.h"

namespace wordbridge {

/// r_s(y): the mean of the k best scores of a target with all sources.
inline double exact_mean(ConstMatrixView sources, std::span<const float> target, std::size_t k) {
  std::vector<float> scores;
  for (std::size_t i = 0; i < sources.rows(); ++i)
    scores.push_back(exact_score(sources.row(i).data(), target.data(), target.size()));
  std::sort(scores.begin(), scores.end(), std::greater<>());
  return mean_score(std::span(scores).first(k));
}

/// A batch of lazy CSLS whose r_t(q) are all 0.25.
inline CslsBatch csls_batch(ConstMatrixView queries, ConstMatrixView sources, ConstMatrixView targets, std::size_t k) {
  const double source = row_norms(sources).largest, target = row_norms(targets).largest;
  CslsBatch batch{queries, sources, targets, k, std::vector<double>(queries.rows(), 0.25), 0, {}};
  batch.mean_slack = mean_slack(sources.cols(), k, source, target);
  for (std::size_t i = 0; i < queries.rows(); ++i)
    batch.score_slacks.push_back(
        score_slack(sources.cols(), norm_above(queries.row(i).data(), queries.cols()), source, target));
  return batch;
}

}  // namespace wordbridge
