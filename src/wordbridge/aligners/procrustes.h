#pragma once
#include "wordbridge/aligners/aligner.h"

namespace wordbridge {

/// The rotation that brings the pairs together best (Xing 2015, Artetxe 2016): W = U Vᵀ with U D Vᵀ = SVD(Yᵀ X). Where
/// d_s and d_t differ, W is semi-orthogonal: orthonormal rows (d_t < d_s) or orthonormal columns (d_t > d_s).
class ProcrustesAligner final : public Aligner {
 public:
  std::string name() const override { return "procrustes"; }
  std::map<std::string, std::string> options() const override { return {}; }
  AlignmentResult solve(const AlignmentProblem& problem) const override;
};

}  // namespace wordbridge
