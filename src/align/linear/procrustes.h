#pragma once
#include "align/aligner.h"
#include "align/paired_rows.h"

namespace wordbridge {

/// W = U Vᵀ with U D Vᵀ = SVD(Yᵀ X), d_t x d_s: of all (semi-)orthogonal maps the one that brings the rows of X (n x
/// d_s) closest to those of Y (n x d_t).
MatrixD procrustes_rotation(const PairedRows& rows);
/// The same for pairs of rows of two tables.
MatrixD procrustes_rotation(ConstMatrixView source, ConstMatrixView target, std::span<const Lexicon::Pair> pairs);

/// The rotation that brings the pairs together best (Xing 2015, Artetxe 2016): W = U Vᵀ with U D Vᵀ = SVD(Yᵀ X). Where
/// d_s and d_t differ, W is semi-orthogonal: orthonormal rows (d_t < d_s) or orthonormal columns (d_t > d_s).
class ProcrustesAligner final : public Aligner {
 public:
  std::string name() const override { return "procrustes"; }
  std::map<std::string, std::string> options() const override { return {}; }
  AlignmentResult solve(const AlignmentProblem& problem) const override;
};

}  // namespace wordbridge
