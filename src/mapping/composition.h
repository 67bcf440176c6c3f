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

}  // namespace wordbridge
