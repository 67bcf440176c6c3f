#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "optimize/objective.h"
#include "optimize/rcsls_objective.h"
#include "optimize/training_pairs.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// Pairs among the first rows of both tables in which words repeat on both sides; no pair twice; all of weight 1.
std::vector<Lexicon::Pair> random_pairs(std::size_t count, std::size_t source_rows, std::size_t target_rows,
                                        std::uint64_t seed);

/// The same pairs with weights between 0.1 and 2.
std::vector<Lexicon::Pair> with_random_weights(std::vector<Lexicon::Pair> pairs, std::uint64_t seed);

/// RCSLS as the formula is written: pair by pair, all scores in double, a full sort.
ObjectiveValue plain_rcsls(ConstMatrixView source_table, ConstMatrixView target_table,
                           std::span<const Lexicon::Pair> pairs, ConstMatrixView source_pool,
                           ConstMatrixView target_pool, const NeighborTerm& term, std::size_t k, ConstMatrixViewD w);

/// The largest difference between the directional derivatives <G, D> that the objective claims at W and the central
/// differences of its loss, over random directions D of norm 1 and over single elements.
double gradient_error(const std::function<ObjectiveValue(ConstMatrixViewD)>& evaluate, ConstMatrixViewD w, double step,
                      std::uint64_t seed);

}  // namespace wordbridge
