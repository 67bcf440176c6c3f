#pragma once
#include "wordbridge/common_space.h"
#include "wordbridge/lexicon.h"

namespace wordbridge {

constexpr double kLeastBeta = 1, kLargestBeta = 1000;

/// The beta of the inverted softmax under which a lexicon is most likely (Smith 2017): maximizes
///     sum over pairs (x, y) of  beta cos(x, y) - log sum over source words q' of exp(beta cos(q', y)),
/// which is concave in beta, to two percent within [kLeastBeta, kLargestBeta]. Pairs with a zero row are left
/// out. UsageError where no pair is left.
double fit_beta(const CommonSpace& space, const Lexicon& lexicon);

}  // namespace wordbridge
