#pragma once
#include <span>
#include <vector>

#include "retrieval/csls/batch.h"

namespace wordbridge {

/// Fine bounds of some targets for a query: r_s(y) is at least the mean of the k best of y's scores to the given source
/// words, at least k, by a matrix product; the k-th best of these is a lower bound of the k-th best of all.
std::vector<OpenTarget> fine_bounds(const CslsBatch& batch, const MeanBounds& bounds, std::size_t query,
                                    std::span<const WordId> targets, std::span<const WordId> sources);

}  // namespace wordbridge
