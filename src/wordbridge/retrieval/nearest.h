#pragma once
#include <memory>

#include "wordbridge/neighbors/neighbor_search.h"
#include "wordbridge/retrieval/criterion.h"

namespace wordbridge {

/// "nn": the target with the largest cosine. Hubs, which are near to everything, are its weakness.
class Nearest : public Criterion {
 public:
  /// The table must outlive the criterion and stay unchanged.
  explicit Nearest(ConstMatrixView targets);

  std::string name() const override { return "nn"; }
  Candidates best(ConstMatrixView queries, std::size_t count) override;

 private:
  std::unique_ptr<NeighborSearch> search_;
};

}  // namespace wordbridge
