#pragma once
#include <memory>

#include "wordbridge/retrieval/criterion.h"

namespace wordbridge {

struct GloballyCorrectedOptions {
  std::size_t depth = 50;  // nearest source words remembered for each target
};

/// "gc" (Dinu 2014): a target is the better, the fewer source words are nearer to it than the query; ties by the larger
/// cosine, then the lower id. A hub has many near source words, so few of them rank high with it. The score is
/// (cosine - 1) / 2 - rank, with rank = #{source words q' : cos(q', y) > cos(q, y)}: its order is the criterion's.
///
/// A first pass over the tables remembers the nearest source words of each target; it settles the queries that are
/// among these of enough targets. For the others a second pass counts.
class GloballyCorrected : public Criterion {
 public:
  /// The tables must outlive the criterion and stay unchanged.
  GloballyCorrected(ConstMatrixView sources, ConstMatrixView targets, const GloballyCorrectedOptions& options = {});
  ~GloballyCorrected() override;

  std::string name() const override { return "gc"; }
  Candidates best(ConstMatrixView queries, std::size_t count) override;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace wordbridge
