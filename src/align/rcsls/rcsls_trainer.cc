#include "align/rcsls/rcsls_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "align/linear/procrustes.h"
#include "linalg/rows.h"
#include "optimize/subgradient.h"
#include "search/neighbor_search.h"
#include "search/sharded_search.h"
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

namespace {

std::unique_ptr<NeighborSearch> index_of(ConstMatrixView table, std::size_t words) {
  return make_search_for_moving(table.slice(0, std::min(words, table.rows())));
}

/// Over the own rows of those that are among the first `words`.
std::unique_ptr<NeighborSearch> index_of(const ShardedRows& table, std::size_t words) {
  return make_search_for_moving(table.own.slice(0, table.shards().own_of(std::min(words, table.rows))));
}

std::unique_ptr<MovingSearch> moving_search(const NeighborSearch& index, const ShardedRows* sharded) {
  if (sharded == nullptr) return index.make_moving();
  const auto parts = static_cast<std::size_t>(sharded->communicator->size());
  return std::make_unique<ShardedMovingSearch>(index.make_moving(parts), *sharded);
}

}  // namespace

RcslsTrainer::RcslsTrainer(ConstMatrixView source, ConstMatrixView target, const RcslsOptions& options,
                           std::uint64_t seed, const ShardedTables* sharded)
    : source_(source),
      target_(target),
      options_(options),
      seed_(seed),
      sharded_(options.pool == NeighborPool::extended ? sharded : nullptr),
      constraint_(make_constraint(options.constraint)),
      term_(make_neighbor_term(options.loss, options.temperature)) {
  if (options.pool == NeighborPool::train) return;
  const std::size_t words = options.max_negatives;
  source_index_ = sharded_ != nullptr ? index_of(sharded_->source, words) : index_of(source, words);
  target_index_ = sharded_ != nullptr ? index_of(sharded_->target, words) : index_of(target, words);
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
  if (options_.pool == NeighborPool::train || options_.batch > 0 || sharded_ != nullptr) return std::nullopt;
  return std::optional<SharedStart>(std::in_place, target_index_->make_moving(), source_index_->make_moving());
}

RcslsTrainer::Run RcslsTrainer::run(std::span<const Lexicon::Pair> pairs, double learning_rate, int epochs,
                                    SharedStart* start) const {
  auto parts = std::make_unique<Run::Parts>(source_, target_, pairs);
  const NeighborSearch* source_index = source_index_.get();
  const NeighborSearch* target_index = target_index_.get();
  if (options_.pool == NeighborPool::train) {
    parts->source_pool = gather_rows(source_, parts->words.source_rows());
    parts->target_pool = gather_rows(target_, parts->words.target_rows());
    parts->source_index = make_search_for_moving(parts->source_pool);
    parts->target_index = make_search_for_moving(parts->target_pool);
    source_index = parts->source_index.get();
    target_index = parts->target_index.get();
  }
  parts->source_search = moving_search(*source_index, sharded_ != nullptr ? &sharded_->source : nullptr);
  parts->target_search = moving_search(*target_index, sharded_ != nullptr ? &sharded_->target : nullptr);
  parts->objective =
      std::make_unique<RcslsObjective>(parts->words, *parts->target_search, *parts->source_search, *term_,
                                       options_.neighbors, sharded_ != nullptr ? &sharded_->communicator() : nullptr);
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
