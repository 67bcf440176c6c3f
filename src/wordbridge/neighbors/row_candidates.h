#pragma once
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "wordbridge/neighbors/candidate_lists.h"
#include "wordbridge/neighbors/int8_table.h"

namespace wordbridge {

/// The other side of a two-sided scan: for every row of a table, the queries that may be among its k best. Shared by
/// all threads; each kPanelsTogether panels have a lock.
class RowCandidates {
 public:
  /// `queries` is the whole source table; `least` holds for each row of the target table a score that k queries reach
  /// (minus infinity where unknown).
  RowCandidates(const Int8Table& table, ConstMatrixView queries, std::size_t k, std::span<const float> least);

  static constexpr std::size_t kPanelsTogether = 4;

  /// The row thresholds of a group of panels at this moment, for bounds that are in units of unit().
  void copy_thresholds(std::size_t group, std::vector<float>& thresholds) const;
  double unit() const { return lists_.unit(); }
  /// Takes the hits of a group of panels. Queries are numbered from `first_query` on; `query_unit` is the unit of each
  /// as encoded, in units of unit().
  void add(std::size_t group, std::span<const ScreenRowHit> hits, const Int8Queries& encoded,
           std::span<const double> query_unit, std::size_t first_query);
  /// The best queries of a row; call it once, when all hits are in.
  TopK<float> take_best(std::uint32_t row) { return lists_.take_best(row, values_of(row)); }

 private:
  const float* values_of(std::uint32_t row) const { return table_.table().row(table_.id_of(row)).data(); }

  const Int8Table& table_;
  CandidateLists lists_;
  mutable std::vector<std::mutex> locks_;
};

}  // namespace wordbridge
