#pragma once
#include <vector>

#include "wordbridge/mapping.h"

namespace wordbridge {

/// What a side of a mapping does to vectors that are means of rows, as those of a fastText model are, done to the rows
/// instead: a row r goes to W (s r - m) + b, with a factor s, a shift m and the mapping's intercept b. A map of this
/// kind can be exchanged with the mean, so that the mean of mapped rows is the mapped mean.
class AffineSide {
 public:
  /// How near that comes to the mapping, which depends on its normalization alone.
  enum class Kind {
    exact,       // no `unit`
    directions,  // `unit`, but no `center` behind it: the vectors have other lengths, but point where they should
    none         // a `center` behind a `unit`
  };
  static Kind kind_of(const Normalizer& normalizer);

  /// Kind::exact or Kind::directions. UsageError for others.
  AffineSide(const Mapping& mapping, Side side);
  /// Any kind, roughly: each `unit` divides by the mean length of the sample's rows (those that are not zero).
  AffineSide(const Mapping& mapping, Side side, ConstMatrixView sample);

  /// The rows, also those that are zero, by W (s r - m).
  Matrix apply(Matrix rows) const;
  /// By W alone.
  Matrix apply_linear(Matrix rows) const;
  /// The mean cosine between what this and the mapping make of the rows.
  double mean_cosine(ConstMatrixView rows) const;

 private:
  const Mapping& mapping_;
  Side side_;
  double scale_ = 1;
  std::vector<double> shift_;
};

}  // namespace wordbridge
