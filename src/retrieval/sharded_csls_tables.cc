#include "retrieval/sharded_csls_tables.h"

#include <algorithm>
#include <span>
#include <utility>

#include "space/common_space_state.h"
#include "space/neighborhood_means.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kMeansAtOnce = 4096;  // rows fetched and searched: 5 MB at d = 300

/// A target of a query.
struct Match {
  double score;
  std::uint32_t id, query;
};

}  // namespace

ShardedMeans::ShardedMeans(const ShardedSpace& space, std::size_t k, Side side)
    : rows_(space.table(side)), others_(space.search(other(side))), k_(k), means_(rows_.rows), known_(rows_.rows) {
  if (k == 0) throw UsageError("CSLS needs one neighbor at least");
}

void ShardedMeans::learn(std::vector<WordId> ids) {
  std::erase_if(ids, [&](WordId id) { return known(id); });
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (ids.empty()) return;
  Stage stage("CSLS statistics");
  for (std::size_t begin = 0; begin < ids.size(); begin += kMeansAtOnce) {
    stage.update(begin, ids.size());
    const auto some = std::span(ids).subspan(begin, std::min(kMeansAtOnce, ids.size() - begin));
    const Neighbors nearest = others_.search(rows_.gather(some), k_);
    for (std::size_t i = 0; i < some.size(); ++i) {
      means_[some[i]] = mean_score(nearest.scores_of(i));
      known_[some[i]] = 1;
    }
  }
  known_count_ += ids.size();
}

void ShardedMeans::learn_all() {
  std::vector<WordId> ids;
  for (WordId id = 0; id < means_.size(); ++id)
    if (!known(id)) ids.push_back(id);
  learn(std::move(ids));
}

ShardedCslsTables::ShardedCslsTables(const ShardedSpace& space, std::size_t neighbors, Side asking)
    : sources(space.search(asking)),
      targets(space.search(other(asking))),
      shards(targets.table().shards()),
      k(neighbors),
      means(space, neighbors, other(asking)),
      bounds(own_targets().rows()) {}

std::vector<RankedTargets> merge_lists(const std::vector<RankedTargets>& own, std::size_t count,
                                       Communicator& communicator) {
  std::vector<Match> mine;
  for (std::uint32_t i = 0; i < own.size(); ++i)
    for (const RankedTargets::Entry& entry : own[i].sorted()) mine.push_back({entry.score, entry.id, i});
  std::vector<RankedTargets> lists(own.size(), RankedTargets(count));
  for (const auto& part : communicator.all_gather_values<Match>(mine))
    for (const Match& match : part) lists[match.query].offer(match.score, match.id);
  return lists;
}

}  // namespace wordbridge
