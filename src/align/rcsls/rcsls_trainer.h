#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "align/aligner.h"
#include "align/rcsls/rcsls_options.h"
#include "align/rcsls/shared_start.h"
#include "optimize/constraint.h"
#include "optimize/optimizer.h"
#include "optimize/rcsls_objective.h"
#include "search/neighbor_search.h"

namespace wordbridge {

/// Everything that the trainings of one alignment share: the tables, the indexes over the extended pools, the neighbor
/// term and the constraint. Selection runs many trainings on one of these.
class RcslsTrainer {
 public:
  /// The tables (normalized, N_s x d_s and N_t x d_t) must outlive this and stay unchanged.
  /// `seed` is that of the batches.
  /// `sharded`: where the tables have the words of the lexicon only, and the extended pools are these.
  RcslsTrainer(ConstMatrixView source, ConstMatrixView target, const RcslsOptions& options, std::uint64_t seed,
               const ShardedTables* sharded = nullptr);
  ~RcslsTrainer();

  /// W to start from with these pairs. UsageError where a given one has another shape.
  MatrixD start(std::span<const Lexicon::Pair> pairs) const;

  /// A training on these pairs; it must not outlive the trainer.
  class Run {
   public:
    ~Run();
    Optimizer& optimizer();

   private:
    friend class RcslsTrainer;
    struct Parts;
    explicit Run(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
  };
  /// `start`: shared with trainings before and after this one, all of this trainer; it must outlive the run.
  Run run(std::span<const Lexicon::Pair> pairs, double learning_rate, int epochs, SharedStart* start = nullptr) const;
  /// For several trainings; nullopt if they have nothing to share.
  std::optional<SharedStart> shared_start() const;

  const Constraint& constraint() const { return *constraint_; }

 private:
  ConstMatrixView source_, target_;
  RcslsOptions options_;
  std::uint64_t seed_;
  const ShardedTables* sharded_;
  std::unique_ptr<Constraint> constraint_;
  std::unique_ptr<NeighborTerm> term_;
  std::unique_ptr<NeighborSearch> source_index_, target_index_;  // of the extended pools, or the own rows of them
};

}  // namespace wordbridge
