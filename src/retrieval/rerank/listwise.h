#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// The candidates of a word, to learn from.
struct RankingExample {
  MatrixD features;                 // one row a candidate, standardized
  std::vector<std::uint8_t> right;  // one for each candidate

  /// Whether there is something to learn: a right candidate, and a wrong one.
  bool is_useful() const;
};

struct ListwiseOptions {
  double l2 = 3e-3;                 // times the squared weights
  std::vector<double> center = {};  // weights that are drawn to; empty: 0
  double center_weight = 0;         // times the squared distance to them
};

/// How badly weights w rank: the mean over useful examples of
///   -log( sum over right candidates e^s / sum over all e^s ),  s = <w, features>,
/// plus l2 |w|^2, plus center_weight |w - center|^2. Sums over examples are added chunk by chunk, in order.
class ListwiseLoss {
 public:
  /// The examples must outlive this; those that are not useful are passed over.
  ListwiseLoss(std::span<const RankingExample* const> examples, ListwiseOptions options);

  /// Writes the gradient.
  double operator()(std::span<const double> weights, std::span<double> gradient) const;

 private:
  std::vector<const RankingExample*> examples_;
  ListwiseOptions options_;
};

/// The weights that rank best, one for each of `features` columns. The center (or 0) where no example is useful.
std::vector<double> fit_listwise(std::span<const RankingExample* const> examples, std::size_t features,
                                 const ListwiseOptions& options = {});

/// <w, features> of each candidate.
std::vector<double> scores_of(ConstMatrixViewD features, std::span<const double> weights);

}  // namespace wordbridge
