#include "optimize/rcsls_objective_test_support.h"

#include "linalg/random_matrix_test_support.h"
#include "linalg/rows.h"
#include "optimize/objective_test_support.h"

namespace wordbridge {

RcslsProblem::RcslsProblem(std::size_t source_words, std::size_t target_words, std::size_t d_s, std::size_t d_t,
                           bool extended, std::string_view loss, double temperature, std::size_t neighbors,
                           bool weighted)
    : source(random_unit_rows(source_words, d_s, 1)),
      target(random_unit_rows(target_words, d_t, 2)),
      pairs(weighted ? with_random_weights(random_pairs(60, 25, 30, 3), 4) : random_pairs(60, 25, 30, 3)),
      words(source, target, pairs),
      source_pool(extended ? source : gather_rows(source, words.source_rows())),
      target_pool(extended ? target : gather_rows(target, words.target_rows())),
      source_search(source_pool),
      target_search(target_pool),
      source_moving(source_search),
      target_moving(target_search),
      term(make_neighbor_term(loss, temperature)),
      k(neighbors),
      objective(words, target_moving, source_moving, *term, k) {}

ObjectiveValue RcslsProblem::plain(ConstMatrixViewD w) const {
  return plain_rcsls(source, target, pairs, source_pool, target_pool, *term, k, w);
}

}  // namespace wordbridge
