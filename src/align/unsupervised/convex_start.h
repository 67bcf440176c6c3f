#pragma once
#include "wordbridge/matrix.h"

namespace wordbridge {

struct ConvexStartOptions {
  int steps = 12;  // of Frank-Wolfe
  /// Of its transport problems, in standard deviations of the first one's costs: how large these are depends on the
  /// number of words and on the spectrum of their vectors.
  double regularization = 0.5;
};

/// A first map between two clouds of as many points, n x d_s and n x d_t, from the distances within each alone: Frank-
/// Wolfe on the convex problem
///   min ‖K_x P - P K_y‖²  over doubly stochastic P,
/// K_x and K_y the Gram matrices of the rows with square-rooted spectrum; then the rotation between X and P Y (Grave et
/// al. 2018).
MatrixD convex_start(ConstMatrixView x, ConstMatrixView y, const ConvexStartOptions& options = {});

}  // namespace wordbridge
