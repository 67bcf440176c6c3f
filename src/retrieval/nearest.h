#pragma once
#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

/// "nn": the target with the largest cosine. Hubs, which are near to everything, are its weakness.
class Nearest final : public Criterion {
 public:
  /// `asking`: the side whose words ask; those of the other one are ranked.
  explicit Nearest(CommonSpace space, Side asking = Side::source) : space_(std::move(space)), asking_(asking) {}

  std::string name() const override { return "nn"; }
  Candidates best(ConstMatrixView queries, std::size_t count) const override;

 private:
  CommonSpace space_;
  Side asking_;
};

}  // namespace wordbridge
