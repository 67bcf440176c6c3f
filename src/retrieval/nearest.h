#pragma once
#include <optional>
#include <utility>

#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

class ShardedSpace;

/// "nn": the target with the largest cosine. Hubs, which are near to everything, are its weakness.
class Nearest final : public Criterion {
 public:
  /// `asking`: the side whose words are queries; those of the other one are ranked.
  explicit Nearest(CommonSpace space, Side asking = Side::source) : space_(std::move(space)), asking_(asking) {}
  /// By all processes together, for the same queries. The space must outlive this.
  explicit Nearest(const ShardedSpace& space, Side asking = Side::source) : sharded_(&space), asking_(asking) {}

  std::string name() const override { return "nn"; }
  Candidates best(ConstMatrixView queries, std::size_t count) const override;

 private:
  std::optional<CommonSpace> space_;
  const ShardedSpace* sharded_ = nullptr;
  Side asking_;
};

}  // namespace wordbridge
