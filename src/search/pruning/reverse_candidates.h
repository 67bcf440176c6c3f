#pragma once
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "search/int8/int8_table.h"
#include "search/pruning/candidate_lists.h"

namespace wordbridge {

/// The other side of a two-sided search: for every row of a table, the queries that may be among its k best. Shared by
/// all threads; each kPanelsTogether panels have a lock.
class ReverseCandidates {
 public:
  /// `queries` is the whole source table; `lower_bounds` are those of the k-th best scores of the rows of the
  /// target table, minus infinity where unknown.
  ReverseCandidates(const Int8Table& table, ConstMatrixView queries, std::size_t k,
                    std::span<const float> lower_bounds);

  static constexpr std::size_t kPanelsTogether = 4;

  /// The row thresholds of a group of panels at this moment, for bounds that are in units of unit().
  void copy_thresholds(std::size_t group, std::vector<float>& thresholds) const;
  double unit() const { return lists_.unit(); }
  /// Takes the candidates of a group of panels. Queries are numbered from `first_query` on; `query_unit` is the unit of
  /// each as encoded, in units of unit().
  void add(std::size_t group, std::span<const PairCandidate> candidates, const Int8Queries& encoded,
           std::span<const double> query_unit, std::size_t first_query);
  /// The best queries of a row; call it once, when all candidates are in.
  TopK<float> take_top_k(std::uint32_t row) { return lists_.take_top_k(row, values_of(row)); }

 private:
  const float* values_of(std::uint32_t row) const { return table_.table().row(table_.id_of(row)).data(); }

  const Int8Table& table_;
  CandidateLists lists_;
  mutable std::vector<std::mutex> locks_;
};

}  // namespace wordbridge
