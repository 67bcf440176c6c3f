#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linalg/lapack.h"
#include "optimize/contrastive.h"
#include "search/neighbor_search.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// x to W x + b.
struct AffineMap {
  MatrixD w;              // d_t x d_s
  std::vector<double> b;  // d_t

  Matrix apply(ConstMatrixView rows) const;
};

/// What the items of an index go through where it is written anew: brought to length 1, to y, then to V (y − m).
struct ItemMap {
  MatrixD v;              // k x d_t
  std::vector<double> m;  // d_t

  Matrix apply(ConstMatrixView units) const;
};

/// Queries, and items where both sides move.
struct LearnedMap {
  AffineMap query;
  std::optional<ItemMap> item = std::nullopt;
};

/// Pairs of rows, with what all maps that are fitted to them have in common: means, covariances, axes.
class PairMoments {
 public:
  /// Row i of one belongs to row i of the other.
  PairMoments(ConstMatrixView x, ConstMatrixView y);

  /// The rotation of the centered rows, times a scale: that of least squares, or the ratio of the spreads.
  enum class Scale { least_squares, spreads, one };
  AffineMap procrustes(Scale scale) const;
  /// Least squares with intercept, plus λ trace(C) / d ‖W‖², C the covariance of x.
  AffineMap ridge(double lambda) const;
  /// The ridge map, its results projected on the axes of their largest spread (reduced-rank regression).
  AffineMap low_rank(double lambda, std::size_t rank) const;

  const std::vector<double>& source_mean() const { return mean_x_; }
  const Eigen& source_axes() const { return axes_; }

 private:
  std::vector<double> mean_x_, mean_y_;
  MatrixD cross_;  // d_t x d_s: mean of (y − ȳ)(x − x̄)ᵀ
  Eigen axes_;     // of the covariance of x
  double spread_x_ = 0, spread_y_ = 0;
};

/// The tables of an adapter as its learning wants them: items that stand in pairs, each once, and unit targets.
struct PairedItems {
  Matrix sources;                    // distinct
  Matrix targets;                    // distinct, those of pairs
  Matrix units;                      // the targets, then other items of the index; all of length 1
  std::vector<Lexicon::Pair> pairs;  // rows of both

  /// Draws at most `most` pairs and items (0: all). Pairs with a zero row are left out.
  PairedItems(ConstMatrixView source, ConstMatrixView target, std::span<const Lexicon::Pair> pairs, std::size_t most,
              std::uint64_t seed);
};

/// The contrastive affine map (optimize/contrastive.h), trained by Adam from a start. Inputs are centered and half
/// whitened, so that steps are of the same size whatever their scale; directions in which they do not vary are left
/// out.
AffineMap contrastive_map(const PairedItems& items, std::span<const Lexicon::Pair> pairs, const Neighbors& near,
                          const PairMoments& moments, const AffineMap& start, const ContrastiveOptions& options,
                          int passes, const std::string& stage);

/// The same for both sides: queries and items meet in a space of their own, of the smaller dimension. The start is the
/// singular vectors of the cross-covariance of both, half whitened.
LearnedMap contrastive_maps_of_both(const PairedItems& items, std::span<const Lexicon::Pair> pairs,
                                    const PairMoments& moments, const ContrastiveOptions& options, int passes,
                                    const std::string& stage);

}  // namespace wordbridge
