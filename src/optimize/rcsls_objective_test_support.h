#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "optimize/rcsls_objective.h"
#include "search/blas_search.h"

namespace wordbridge {

/// Two tables of random directions, 60 pairs among their first 25 and 30 words, and the objective over them; all pairs
/// of weight 1, or of random weights.
struct RcslsProblem {
  RcslsProblem(std::size_t source_words, std::size_t target_words, std::size_t d_s, std::size_t d_t, bool extended,
               std::string_view loss, double temperature, std::size_t neighbors, bool weighted = false);

  /// The same by the formula.
  ObjectiveValue plain(ConstMatrixViewD w) const;

  Matrix source, target;
  std::vector<Lexicon::Pair> pairs;
  TrainingPairs words;
  Matrix source_pool, target_pool;
  BlasSearch source_search, target_search;
  RepeatedSearch source_moving, target_moving;
  std::unique_ptr<NeighborTerm> term;
  std::size_t k;
  RcslsObjective objective;
};

}  // namespace wordbridge
