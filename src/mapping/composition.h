#pragma once
#include "wordbridge/mapping.h"

namespace wordbridge {

/// A mapping made of others, and what that cost.
struct DerivedMapping {
  Mapping mapping;
  /// Where a map that is not orthogonal had to be turned around: how much the cosine of two directions changes there,
  /// on average (over random directions); about 0 where nothing is lost. Orthogonal maps keep all cosines.
  double distortion = 0;
};

/// The way back: the target language becomes the source. Where both sides move, they change places, and nothing else
/// changes. Else W becomes its pseudo-inverse W⁺ (Wᵀ for an orthogonal W): a target vector y goes to W⁺ t(y), and
/// source vectors stay where they are.
DerivedMapping invert(const Mapping& mapping);

/// From the source language of `first` by its target language, which is the source language of `second`, to the target
/// language of `second`: x goes to W₂ V₁⁺ W₁ s(x), where V₁ is the identity if `first` leaves its target side alone.
/// UsageError where the language in between is not the same: other vectors, dimension or normalization.
DerivedMapping compose(const Mapping& first, const Mapping& second);

/// The mapping whose common space is the target's own coordinates: x goes to A s(x) + b by one affine map, and what
/// comes out can be compared, by cosine, with the target's vectors as they are. A map of the target side is undone by
/// its pseudo-inverse, `center` by the mean; what `unit` divides by there is taken for the root of its mean square,
/// which follows from the means. UsageError where that is unknown: a `center` that no `unit` precedes, with a `unit`
/// behind it. The other way round: invert() first.
Mapping into_target(const Mapping& mapping);

/// How much of the rows' squared length into_target() keeps, on average: of what is normalized, the part that its map
/// does not annihilate; and of what is mapped, the part that vectors of the target can have. 1 is all.
struct KeptLength {
  double source = 1, target = 1;
};
KeptLength kept_length(const Mapping& mapping, ConstMatrixView rows);

}  // namespace wordbridge
