#pragma once
#include "wordbridge/retrieval/criterion.h"
#include "wordbridge/retrieval/table_search.h"

namespace wordbridge {

/// "nn": the target with the largest cosine. Hubs, which are near to everything, are its weakness.
class Nearest : public Criterion {
 public:
  /// The table must outlive the criterion and stay unchanged.
  explicit Nearest(ConstMatrixView targets);

  std::string name() const override { return "nn"; }
  Candidates best(ConstMatrixView queries, std::size_t count) override;

 private:
  TableSearch search_;
};

}  // namespace wordbridge
