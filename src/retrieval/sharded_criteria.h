#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "space/sharded_space.h"
#include "wordbridge/criterion.h"

namespace wordbridge {

struct ShardedCslsTables;

/// "nn" over tables that are dealt out: what Nearest gives, bit for bit. All processes ask together, for the same
/// queries; so with all criteria here. The space must outlive them.
class ShardedNearest final : public Criterion {
 public:
  ShardedNearest(const ShardedSpace& space, Side asking) : space_(space), asking_(asking) {}
  std::string name() const override { return "nn"; }
  Candidates best(ConstMatrixView queries, std::size_t count) const override;

 private:
  const ShardedSpace& space_;
  Side asking_;
};

/// "csls" over tables that are dealt out: what Csls gives, bit for bit. Few queries learn r_s(y) of the targets that
/// may win (sharded_lazy_csls.h). Many learn it of all: then the targets nearest to each query, in all tables together,
/// set a threshold, and every process finds its own targets that reach it by a range search.
class ShardedCsls final : public Criterion {
 public:
  ShardedCsls(const ShardedSpace& space, std::size_t neighbors, Side asking);
  ~ShardedCsls() override;
  std::string name() const override { return "csls"; }
  Candidates best(ConstMatrixView queries, std::size_t count) const override;

  /// For how many targets r_s is known by now.
  std::size_t known_statistics() const;

 private:
  class Batch;

  std::size_t nonzero_;  // targets
  std::unique_ptr<ShardedCslsTables> tables_;
};

/// By name. UsageError, which says what to do, for criteria that several processes cannot share.
std::unique_ptr<const Criterion> make_sharded_criterion(std::string_view name, const ShardedSpace& space,
                                                        const CriterionOptions& options, Side asking = Side::source);
/// The same check without a space.
void require_sharded_criterion(std::string_view name);

}  // namespace wordbridge
