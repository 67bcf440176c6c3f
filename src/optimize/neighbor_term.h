#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace wordbridge {

/// How the scores of a word's k neighbors enter the RCSLS loss: a convex function of the scores, symmetric and rising
/// in each. Then its value at the k largest scores is the maximum over all subsets of k rows, hence convex in W
/// ("Convex relaxation" in the paper). A further one is a class and a line of make_neighbor_term() in neighbor_term.cc.
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

}  // namespace wordbridge
