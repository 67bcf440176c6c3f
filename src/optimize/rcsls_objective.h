#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "optimize/objective.h"
#include "optimize/training_pairs.h"
#include "parallel/communicator.h"
#include "search/warm_start/moving_search.h"

namespace wordbridge {

/// How the scores of a word's k neighbors enter the RCSLS loss: a convex function of the scores, symmetric and rising
/// in each. Then its value at the k largest scores is the maximum over all subsets of k rows, hence convex in W
/// ("Convex relaxation" in the paper). A further one is a class and a line of make_neighbor_term().
class NeighborTerm {
 public:
  virtual ~NeighborTerm() = default;
  /// "mean", "logsumexp": as on the command line.
  virtual std::string name() const = 0;
  /// The value; `weights` receives its derivative by each score. As many weights as scores, at least one.
  virtual double evaluate(std::span<const double> scores, std::span<double> weights) const = 0;
};

/// "mean": 1/k sum of the scores, the paper's term. "logsumexp": T log sum exp(score / T), its logistic variant.
/// UsageError for an unknown name or a temperature that is not above 0.
std::unique_ptr<NeighborTerm> make_neighbor_term(std::string_view name, double temperature = 1);

/// The Relaxed CSLS loss (the paper's equation for RCSLS), convex in W. With M the neighbor term (a mean, or
/// logSumExp) of the scores of the k neighbors with the largest scores,
///
///     f(W) = 1/n sum_i [ −2 x_iᵀWᵀy_i + M{ x_iᵀWᵀy : y in N_t(W x_i) } + M{ xᵀWᵀy_i : x in N_s(y_i) } ]
///
/// where all pairs have weight 1; else a pair's bracket counts w_i times, and n is the sum of the weights. And, with
/// M's derivatives p by the scores, s_i = sum p y over the target and r_i = sum p x over the source neighbors,
///
///     G = 1/n sum_i [ −2 y_i x_iᵀ + s_i x_iᵀ + y_i r_iᵀ ].
///
/// Both tables stand still: N_t(W x) is searched in the target pool with W x, N_s(y) in the unmapped source pool with
/// Wᵀ y, because yᵀW x = (Wᵀy)ᵀx. The pools are the tables of the two searches.
class RcslsObjective : public Objective {
 public:
  /// The searches are over the target pool (d_t) and the source pool (d_s); their slots are the numbers of the distinct
  /// words of `words`. All references must outlive this. With a communicator, its processes share the sums over
  /// neighbors, kProductRows words at a time, and all get the value that one alone would, bit for bit.
  RcslsObjective(const TrainingPairs& words, MovingSearch& target_pool, MovingSearch& source_pool,
                 const NeighborTerm& term, std::size_t k, Communicator* communicator = nullptr);

  std::size_t pairs() const override { return words_.size(); }
  ObjectiveValue evaluate(ConstMatrixViewD w) override;
  ObjectiveValue evaluate_batch(ConstMatrixViewD w, std::span<const std::size_t> batch) override;

 private:
  ObjectiveValue evaluate_groups(ConstMatrixViewD w, const PairGroups& groups);
  /// The pairs' own scores and the target neighbors: −2 y xᵀ + s xᵀ.
  ObjectiveValue forward(ConstMatrixViewD w, const PairGroups& groups);
  /// The loss of a source word with its pairs, of weights w and m together, from what the neighbors add to it; its sum
  /// over them becomes m s − 2 sum w y, so that one product with the word gives both terms.
  double add_pairs(const PairGroups& groups, std::size_t word, std::span<const double> mapped, double neighbors,
                   std::span<double> sum) const;
  /// The source neighbors: y rᵀ.
  ObjectiveValue backward(ConstMatrixViewD w, const PairGroups& groups);

  const TrainingPairs& words_;
  MovingSearch& target_pool_;
  MovingSearch& source_pool_;
  const NeighborTerm& term_;
  std::size_t k_;
  LocalCommunicator alone_;
  Communicator* communicator_;
  PairGroups all_;
};

}  // namespace wordbridge
