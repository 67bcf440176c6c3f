#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "optimize/objective.h"
#include "optimize/rcsls_objective.h"
#include "optimize/training_pairs.h"
#include "search/warm_start/moving_search.h"

namespace wordbridge {

/// Where trainings of one alignment begin. Those on the same pairs begin at the same W: the first one tells the others
/// its loss and gradient there, and lends them its lists. Those on other pairs begin nearby, so that the neighbors of
/// its words are a warm start for their first search.
///
/// Trainings from one start may also meet later: one whose first steps were too long, and were taken back and halved,
/// goes the way of half its learning rate from there on. What was evaluated on that way is remembered, if asked for.
struct SharedStart {
  /// The searches are new, over the pools that all trainings share.
  SharedStart(std::unique_ptr<MovingSearch> target_pool, std::unique_ptr<MovingSearch> source_pool)
      : target_search(std::move(target_pool)), source_search(std::move(source_pool)) {}

  /// What was evaluated after the start.
  struct Evaluation {
    MatrixD w;
    ObjectiveValue value;
  };
  static constexpr std::size_t kMostEvaluations = 32;  // the last ones; each holds two matrices as large as W

  bool known = false;
  std::vector<Lexicon::Pair> pairs;                     // as numbers of words
  std::vector<std::uint32_t> source_rows, target_rows;  // of the words
  MatrixD w;
  ObjectiveValue value;
  std::unique_ptr<MovingSearch> target_search, source_search;  // with what was found there
  bool remembers = false;                                      // what the trainings on the same pairs evaluate
  std::deque<Evaluation> evaluations;
};

/// The objective of one training, whose first evaluation begins with a shared start, or makes it where there is none.
/// The values are those of `objective`, to the bit.
class StartedObjective final : public Objective {
 public:
  /// `target_pool` and `source_pool`: the searches of `objective`, for `words`. All must outlive this.
  StartedObjective(RcslsObjective& objective, const TrainingPairs& words, MovingSearch& target_pool,
                   MovingSearch& source_pool, SharedStart& start);

  std::size_t pairs() const override { return objective_.pairs(); }
  ObjectiveValue evaluate(ConstMatrixViewD w) override;
  ObjectiveValue evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) override {
    return objective_.evaluate_batch(w, batch);
  }

 private:
  bool has_pairs_of_start() const;
  ObjectiveValue evaluate_next(ConstMatrixViewD w);
  void take_over(bool moved);
  void keep(ConstMatrixViewD w, const ObjectiveValue& value);

  RcslsObjective& objective_;
  const TrainingPairs& words_;
  MovingSearch& target_pool_;
  MovingSearch& source_pool_;
  SharedStart& start_;
  bool begun_ = false;
};

}  // namespace wordbridge
