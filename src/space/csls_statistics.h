#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "search/sharded_search.h"
#include "space/neighborhood_means.h"
#include "space/unit_rows.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

/// Neighbors beyond the k that the means are over. The longer the lists, the fewer words must be searched for
/// (retrieval/neighbor_list_ranking.h), and the better they serve as a start when the words have moved.
inline constexpr std::size_t kSpareNeighbors = 6;

/// What CSLS has to know of the words of both sides: the mean cosine of each to its k nearest words of the other side,
/// r_t(x) of the source words and r_s(y) of the target words. Learned when first asked for, once, for all threads.
class CslsStatistics {
 public:
  /// The tables and the searches over them must outlive this.
  CslsStatistics(const UnitRows& source, const UnitRows& target, const NeighborSearch& source_search,
                 const NeighborSearch& target_search, std::size_t k)
      : CslsStatistics({source_search, ShardedRows::whole(source.rows())},
                       {target_search, ShardedRows::whole(target.rows())}, k) {}
  /// Where the tables are sharded, all processes ask for the same.
  CslsStatistics(const ShardedSearch& source, const ShardedSearch& target, std::size_t k);

  /// What is known from before, of words whose lists of nearest words were kept. They must outlive this.
  struct Known {
    TwoSidedLists nearest;                         // k words each or more, or all that have a vector
    std::span<const double> of_source, of_target;  // the means; empty: to be taken from the lists
  };
  /// Of these nothing is left to learn. The tables are not read.
  CslsStatistics(const UnitRows& source, const UnitRows& target, const NeighborSearch& source_search,
                 const NeighborSearch& target_search, std::size_t k, const Known& known);

  std::size_t neighbors() const { return k_; }
  /// Of every word of a side; learns what is missing.
  std::span<const double> of_all(Side side);
  /// Of the words [first, first + count) of a side.
  std::vector<double> of(Side side, std::size_t first, std::size_t count);
  /// Of every word of both sides, in one pass over the tables where that is less work than two.
  void learn_both();
  /// The same, sooner where the words were near the same ones `before`, under another map.
  void learn_both(const TwoSidedNeighbors* before);
  /// Whether all of a side are known.
  bool complete(Side side) const { return complete_[index(side)].load(); }
  /// The nearest words of every word, the k that the means are over first, where learn_both() went over both at once,
  /// or they are known from before; else nothing. Stays as it is, once it is there.
  const TwoSidedLists* nearest() const { return nearest_known_.load() ? &nearest_ : nullptr; }
  /// The same where learn_both() found them.
  const TwoSidedNeighbors* learned() const { return nearest_known_.load() && learned_ ? &*learned_ : nullptr; }

  /// The means of a side as far as they are known, for whoever learns only those that he needs. Locked as long as it
  /// lives.
  class Partial {
   public:
    Partial(CslsStatistics& statistics, Side side) : lock_(statistics.mutex_), means_(statistics.means(side)) {}
    NeighborhoodMeans& means() { return means_; }

   private:
    std::lock_guard<std::mutex> lock_;
    NeighborhoodMeans& means_;
  };
  /// How many of a side are known by now.
  std::size_t known(Side side);

 private:
  static std::size_t index(Side side) { return side == Side::source ? 0 : 1; }
  NeighborhoodMeans& means(Side side) { return side == Side::source ? of_source_ : of_target_; }

  ShardedRows source_, target_;
  std::size_t k_;
  std::mutex mutex_;
  NeighborhoodMeans of_source_, of_target_;
  std::optional<TwoSidedNeighbors> learned_;
  TwoSidedLists nearest_;
  std::array<std::atomic<bool>, 2> complete_ = {};
  std::atomic<bool> nearest_known_ = false;
};

}  // namespace wordbridge
