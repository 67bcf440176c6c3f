#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "retrieval/csls/batch.h"

namespace wordbridge {

/// A(q), a landmark for each query q: the mean of the k first source words of its pool. As the mean of the scores of y
/// to any k source words is at most r_s(y), <A(q), y> is a lower bound of it, but for rounding.
Matrix landmarks(ConstMatrixView sources, const std::vector<std::vector<WordId>>& pools, std::size_t k);

/// Coarse lower bounds of r_s for all targets by one matrix product: mean[y] = max(mean[y], max over landmarks a of
/// <a, y> - slack). `best`, one a target: the landmark with the largest product; empty: nobody wants to know.
void raise_by_landmarks(ConstMatrixView landmarks, ConstMatrixView targets, double slack, std::span<float> mean,
                        std::span<std::uint32_t> best = {});

/// The upper bound of a target for a query by the query's own landmark.
OpenTarget bound_by_landmark(const CslsBatch& batch, const MeanBounds& bounds, std::size_t query,
                             std::span<const float> landmark, WordId target);

}  // namespace wordbridge
