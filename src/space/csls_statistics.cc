#include "space/csls_statistics.h"

#include <numeric>
#include <utility>

#include "search/neighbor_search.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

CslsStatistics::CslsStatistics(const ShardedSearch& source, const ShardedSearch& target, std::size_t k)
    : source_(source.table()),
      target_(target.table()),
      k_(k),
      of_source_(source_, target, k),
      of_target_(target_, source, k) {
  if (k == 0) throw UsageError("CSLS needs one neighbor at least");
}

CslsStatistics::CslsStatistics(const UnitRows& source, const UnitRows& target, const NeighborSearch& source_search,
                               const NeighborSearch& target_search, std::size_t k, const Known& known)
    : source_(ShardedRows::whole(source.unread())),
      target_(ShardedRows::whole(target.unread())),
      k_(k),
      of_source_(source.unread(), target_search, k),
      of_target_(target.unread(), source_search, k),
      nearest_(known.nearest) {
  if (k == 0) throw UsageError("CSLS needs one neighbor at least");
  if (known.of_source.empty())
    of_source_.take_all(nearest_.of_source);
  else
    of_source_.take_all(known.of_source);
  if (known.of_target.empty())
    of_target_.take_all(nearest_.of_target);
  else
    of_target_.take_all(known.of_target);
  complete_[0].store(true);
  complete_[1].store(true);
  nearest_known_.store(true);
}

std::span<const double> CslsStatistics::of_all(Side side) {
  if (!complete(side)) {
    const std::lock_guard lock(mutex_);
    means(side).learn_all();
    complete_[index(side)].store(true);
  }
  return means(side).all();
}

std::vector<double> CslsStatistics::of(Side side, std::size_t first, std::size_t count) {
  const auto values = [&] { return means(side).all().subspan(first, count); };
  if (complete(side)) return {values().begin(), values().end()};
  const std::lock_guard lock(mutex_);
  std::vector<WordId> rows(count);
  std::iota(rows.begin(), rows.end(), static_cast<WordId>(first));
  means(side).learn(std::move(rows));
  return {values().begin(), values().end()};
}

void CslsStatistics::learn_both() { learn_both(nullptr); }

void CslsStatistics::learn_both(const TwoSidedNeighbors* before) {
  if (complete(Side::source) && complete(Side::target)) return;
  {
    const std::lock_guard lock(mutex_);
    const std::size_t known = of_source_.known_count() + of_target_.known_count();
    // All processes must go the same way, on whatever machine they are.
    if (!learned_ && 2 * known < of_source_.size() + of_target_.size() && source_.all(int8_filter_is_fast())) {
      Stage stage("CSLS statistics");
      stage.update(0, of_target_.size());
      learned_ = two_sided_search(source_, target_, k_ + kSpareNeighbors, before);
      nearest_ = {learned_->of_source, learned_->of_target};
      of_source_.take_all(nearest_.of_source);
      of_target_.take_all(nearest_.of_target);
      nearest_known_.store(true);
    }
  }
  of_all(Side::source);
  of_all(Side::target);
}

std::size_t CslsStatistics::known(Side side) {
  const std::lock_guard lock(mutex_);
  return means(side).known_count();
}

}  // namespace wordbridge
