#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "space/nonzero_rows.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// For some targets at a time, how many source words are nearer to one of them than a given score: exact, from products
/// in fp32 and exact scores where these cannot tell. Zero source rows count nothing.
class SourceRanks {
 public:
  /// The sources (N_s x d) must outlive this.
  explicit SourceRanks(const UnitRows& sources);

  /// Computes the products of these targets with all sources, on all threads: targets x N_s floats of memory. The
  /// targets must outlive the questions about them.
  void load(ConstMatrixView targets);
  /// The same on this thread alone.
  void load_alone(ConstMatrixView targets);

  /// #{sources q' : exact_score(q', y) > score} for y = row `target` of those loaded; nothing where it is above
  /// `enough`, which is found out sooner. May be called from several threads.
  std::optional<std::size_t> nearer(std::size_t target, float score, std::size_t enough) const;

 private:
  void prepare(ConstMatrixView targets);
  void multiply(std::size_t begin, std::size_t end);

  NonzeroRows nonzero_;
  ConstMatrixView sources_;
  double largest_norm_;  // of the sources
  ConstMatrixView targets_;
  Matrix products_;            // targets x sources
  std::vector<double> slack_;  // of each target: how far a product and the exact score may be apart
};

}  // namespace wordbridge
