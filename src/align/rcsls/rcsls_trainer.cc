#include "align/rcsls/rcsls_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "align/linear/procrustes.h"
#include "linalg/gather.h"
#include "optimize/stochastic_subgradient.h"
#include "search/make_search.h"
#include "wordbridge/error.h"

namespace wordbridge {

struct RcslsTrainer::Run::Parts {
  Parts(ConstMatrixView source, ConstMatrixView target, std::span<const Lexicon::Pair> pairs)
      : words(source, target, pairs) {}

  TrainingPairs words;
  Matrix source_pool, target_pool;                             // of the lexicon's words
  std::unique_ptr<NeighborSearch> source_index, target_index;  // over them
  std::unique_ptr<MovingSearch> source_search, target_search;
  std::unique_ptr<RcslsObjective> objective;
  std::unique_ptr<StartedObjective> started;
  std::unique_ptr<Optimizer> optimizer;
};

RcslsTrainer::Run::Run(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
RcslsTrainer::Run::~Run() = default;
Optimizer& RcslsTrainer::Run::optimizer() { return *parts_->optimizer; }

RcslsTrainer::RcslsTrainer(ConstMatrixView source, ConstMatrixView target, const RcslsOptions& options,
                           std::uint64_t seed)
    : source_(source),
      target_(target),
      options_(options),
      seed_(seed),
      constraint_(make_constraint(options.constraint)),
      term_(make_neighbor_term(options.loss, options.temperature)) {
  if (options.pool == NeighborPool::train) return;
  source_index_ = make_search(source.slice(0, std::min(options.max_negatives, source.rows())));
  target_index_ = make_search(target.slice(0, std::min(options.max_negatives, target.rows())));
}

RcslsTrainer::~RcslsTrainer() = default;

MatrixD RcslsTrainer::start(std::span<const Lexicon::Pair> pairs) const {
  if (options_.start_map) {
    const Matrix& w = *options_.start_map;
    if (w.rows() != target_.cols() || w.cols() != source_.cols())
      throw UsageError(fmt::format("the start is a map from {} to {} dimensions, but the vectors have {} and {}",
                                   w.cols(), w.rows(), source_.cols(), target_.cols()));
    return to_double(w);
  }
  if (options_.init == "identity") {
    MatrixD w(target_.cols(), source_.cols());
    for (std::size_t i = 0; i < std::min(w.rows(), w.cols()); ++i) w(i, i) = 1;
    return w;
  }
  return procrustes_rotation(source_, target_, pairs);
}

/// A pool of the lexicon's words is another table for each training, and steps on batches have no start in common.
std::optional<SharedStart> RcslsTrainer::shared_start() const {
  if (options_.pool == NeighborPool::train || options_.batch > 0) return std::nullopt;
  return std::optional<SharedStart>(std::in_place, make_moving_search(*target_index_),
                                    make_moving_search(*source_index_));
}

RcslsTrainer::Run RcslsTrainer::run(std::span<const Lexicon::Pair> pairs, double learning_rate, int epochs,
                                    SharedStart* start) const {
  auto parts = std::make_unique<Run::Parts>(source_, target_, pairs);
  const NeighborSearch* source_index = source_index_.get();
  const NeighborSearch* target_index = target_index_.get();
  if (options_.pool == NeighborPool::train) {
    parts->source_pool = gather_rows(source_, parts->words.source_rows());
    parts->target_pool = gather_rows(target_, parts->words.target_rows());
    parts->source_index = make_search(parts->source_pool);
    parts->target_index = make_search(parts->target_pool);
    source_index = parts->source_index.get();
    target_index = parts->target_index.get();
  }
  parts->source_search = make_moving_search(*source_index);
  parts->target_search = make_moving_search(*target_index);
  parts->objective = std::make_unique<RcslsObjective>(parts->words, *parts->target_search, *parts->source_search,
                                                      *term_, options_.neighbors);
  Objective* objective = parts->objective.get();
  if (start != nullptr) {
    parts->started = std::make_unique<StartedObjective>(*parts->objective, parts->words, *parts->target_search,
                                                        *parts->source_search, *start);
    objective = parts->started.get();
  }
  if (options_.batch > 0) {
    parts->optimizer = std::make_unique<StochasticSubgradient>(
        *objective, *constraint_,
        StochasticSubgradientOptions{.learning_rate = learning_rate,
                                     .epochs = epochs,
                                     .batch = options_.batch,
                                     .l2 = options_.l2,
                                     .seed = seed_,
                                     .one_step_more = options_.schedule == Schedule::reference});
  } else {
    parts->optimizer = std::make_unique<ProjectedSubgradient>(
        *objective, *constraint_,
        ProjectedSubgradientOptions{
            .learning_rate = learning_rate, .epochs = epochs, .l2 = options_.l2, .schedule = options_.schedule});
  }
  return Run(std::move(parts));
}

}  // namespace wordbridge
