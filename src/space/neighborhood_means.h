#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "search/sharded_search.h"
#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// The mean of scores, best first, added in this order; 0 for none.
double mean_score(std::span<const float> scores);

/// For the rows of a table their mean score to the k nearest rows of another one, r_s(y) of CSLS: learned for the rows
/// that are asked for, and kept. Where the tables are sharded, all processes ask for the same rows and know the same.
class NeighborhoodMeans {
 public:
  /// `rows`: N x d; `others`: the search over the other table. Both must outlive this.
  NeighborhoodMeans(ConstMatrixView rows, const NeighborSearch& others, std::size_t k)
      : NeighborhoodMeans(ShardedRows::whole(rows), ShardedSearch(others), k) {}
  NeighborhoodMeans(const ShardedRows& rows, const ShardedSearch& others, std::size_t k);

  bool known(WordId row) const { return known_[row] != 0; }
  /// Of a row that is known.
  double operator[](WordId row) const { return means_[row]; }
  std::size_t known_count() const { return known_count_; }
  std::size_t size() const { return means_.size(); }
  /// One for each row; of use where all are known.
  std::span<const double> all() const { return means_; }

  /// Learns those of the given rows that are not known; repetitions do no harm.
  void learn(std::vector<WordId> rows) { learn(std::move(rows), {}, nullptr); }
  /// The same for less: k rows of the other table (or all but zeros) score at least lower_bounds[row] with each of the
  /// given rows. No bounds: nothing is known. `learned` is told the nearest rows of the other table, by ascending row.
  using Learned = std::function<void(WordId row, std::span<const std::uint32_t> nearest)>;
  void learn(std::vector<WordId> rows, std::span<const float> lower_bounds, const Learned& learned);
  void learn_all();
  /// Takes them over: `neighbors` are the k nearest of the other table, or more, for every row.
  void take_all(const NeighborLists& neighbors);
  /// The same from the means themselves.
  void take_all(std::span<const double> means);

  /// From now on the nearest rows of what is learned are kept, for nearest().
  void keep_nearest();
  /// The k nearest rows of the other table for each of the given rows, which ascend. What was kept is not searched for
  /// again.
  Neighbors nearest(std::span<const WordId> rows);

 private:
  /// The place of a row among what was kept.
  static constexpr std::uint32_t kNotKept = std::numeric_limits<std::uint32_t>::max();
  void keep(WordId row, const Neighbors& neighbors, std::size_t query);

  ShardedRows rows_;
  ShardedSearch others_;
  std::size_t k_;
  std::vector<double> means_;
  std::vector<std::uint8_t> known_;
  std::size_t known_count_ = 0;
  std::vector<std::uint32_t> kept_;  // of each row its place in the lists; empty: they are not kept
  Neighbors lists_;                  // in the order of their learning
};

}  // namespace wordbridge
