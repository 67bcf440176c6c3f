#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "wordbridge/lexicon.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// Maps between two clouds of points, p x p, and how well each cloud is rebuilt from the other.
struct BothWays {
  MatrixD forward;   // source to target
  MatrixD backward;  // target to source
  double error = std::numeric_limits<double>::infinity();
};

/// Iterative closest points between two clouds (n x p and m x p), in both directions at once: every target point is
/// matched with the mapped source point next to it, every source point with the mapped target point next to it, and
/// both maps are fitted together to
///   ‖Y - F X_m‖² + ‖X - B Y_m‖² + cycle (‖X - B F X‖² + ‖Y - F B Y‖²)    (means over points),
/// X_m and Y_m the matched points (Hoshen & Wolf 2018).
class ClosestPoints {
 public:
  /// The clouds must outlive this.
  ClosestPoints(const Matrix& x, const Matrix& y, double cycle);

  /// So many matchings and fits, on batches that are drawn with the seed; the last takes all points, and gives the
  /// error.
  BothWays run(BothWays maps, int iterations, std::size_t batch, std::uint64_t seed) const;

  /// Points that are each other's nearest.
  std::vector<Lexicon::Pair> mutual_pairs(const BothWays& maps) const;

 private:
  void iterate(BothWays& maps, const Matrix& x, const Matrix& y) const;
  void fit(BothWays& maps, const Matrix& x, const Matrix& y, const Matrix& matched_x, const Matrix& matched_y) const;

  const Matrix& x_;
  const Matrix& y_;
  double cycle_;
  MatrixD gram_x_, gram_y_;
  double gram_x_norm_, gram_y_norm_;
};

}  // namespace wordbridge
