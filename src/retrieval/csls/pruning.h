#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "retrieval/csls/batch.h"
#include "search/top_k.h"

namespace wordbridge {

/// Drops the targets whose upper bounds are below the `threshold`.
void prune_targets(std::vector<OpenTarget>& open, double threshold);

/// Best upper bounds first.
void sort_by_upper_bound(std::vector<OpenTarget>& open);

/// What is known of a target for one query serves all: raises `bounds` to the best of all open targets, and lowers the
/// upper bounds of these accordingly.
void share_bounds(OpenTargets& open, MeanBounds& bounds);

/// Refines open targets, which are sorted, by their exact scores: best upper bounds first and in portions that double,
/// because each raises the threshold by which the others are pruned. Ends after `portions`, or when none is left.
/// `learn` computes r_s of some targets; `score` is the exact score of a query for a target, where r_s is known.
void refine_in_portions(OpenTargets& open, std::vector<TopK<double>>& lists, std::size_t portions,
                        const std::function<void(std::vector<WordId> targets)>& learn,
                        const std::function<std::optional<double>(std::size_t query, WordId target)>& score);

}  // namespace wordbridge
