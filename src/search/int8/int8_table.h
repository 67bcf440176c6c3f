#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "linalg/row_loader.h"
#include "search/int8/int8_encoder.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

// The bound of the filter. Let D = <q, y> be the real dot product of a query and a row that are encoded as
//     q = a v + q',  T q' = t c_q + delta_q        y = b v + y',  T y' = s c + delta_y        (Int8Code)
// with T a rotation, and A a float near <q, v>; in staged tables c_q and c stand for the codes times
// their rho. Then
//     D = b <q, v> + a <v, y'> + <q', y'>,   <q', y'> = <t c_q, s c> + <t c_q, delta_y> + <delta_q, T y'>
// so that by Cauchy-Schwarz the filter's value w = t s <c_q, c> + A b misses D by at most
//     |A - <q, v>| |b| + |a| |<v, y'>| + t |c_q| |delta_y| + |delta_q| |y'|.                              (1)
// To the kernel that is one product g e of a number g for the row and e for the query. With any theta > 0 (here a
// little over the mean of |delta_y| / |y'|),
//     g = max(|y'|, |delta_y| / theta, |<v, y'>| 2^20, |b| 2^-6)
//     e = theta t |c_q| + |delta_q| + 2^-20 |a| + 2^6 |A - <q, v>| + ...
// is no less than (1) and wastes little. The dots stand for two more roundings, u = 2^-24:
// - The kernel computes w + g e in float: conversion, product and two fused or rounded sums, each off by at most u
// times
//   the values that went into it: u (4 t |c_q| s |c| + 3 |A b| + g e) in all, where s |c| <= |y'| + |delta_y|
//   <= g (1 + theta) and |b| <= 2^6 g. A check adds one more sum, so 5 and 4 are taken.
// - The score x is D rounded: u (1 + 2^-20) |D| <= u (1 + 2^-20) |q| (|b| |v| + |y'|), and where it underflows 2^-150,
//   which the thresholds take into account (Int8Queries).
// At a check of a staged table the products of the last coordinates of T q' and T y' are not known, and bounded by the
// product of the norms of these, l_q l_y; the errors (1) of the others are no larger than those of all. l_q and l_y are
// stored 2^-20 too large each, which covers the rounding of their product and of the sum.
// Hence bound = float(w + g e) is never below the score, and bound - 2 g e never above it, as long as it is finite.

/// Queries encoded for one table: what the kernel wants of each, padded with queries without candidates. Zero queries
/// have none either. For a staged table those of a cluster lie together, so a query has a position of its
/// own here, by which all below is numbered.
struct Int8Queries {
  Int8Queries() = default;
  Int8Queries(Int8Queries&&) = default;  // not to be copied: `rows` point into `codes`
  Int8Queries& operator=(Int8Queries&&) = default;

  std::size_t count = 0;                   // without the padding
  std::vector<std::uint32_t> order;        // the number of the query at each position
  BasicMatrix<std::uint8_t> codes;         // padded count x codes
  std::vector<const std::uint8_t*> rows;   // of the codes
  std::vector<float> lead;                 // A / t
  std::vector<float> slack;                // e / t
  std::vector<float> tails;                // padded count x checks: l_q / t
  std::vector<std::int16_t> span_weights;  // rho of the queries times that of the rows
  std::vector<double> unit;                // bounds are in units of this many scores

  std::size_t padded_count() const { return codes.rows(); }

  /// The largest threshold that no row with at least this score can miss. An infinite score stands for any that is too
  /// large for a float; underflow may have raised a score by 2^-150.
  float threshold_for_score(std::size_t position, float score) const;
  /// A row whose upper bound is below this is worse than `k` rows, if `kth` is the k-th largest of their lower bounds.
  float threshold_for_bound(std::size_t position, double kth) const;
};

/// How the rows of an Int8Table are encoded, and in which order.
enum class TableLayout {
  plain,   // as they come
  staged,  // large tables, if the kernel has checks: for early termination (Int8Encoder), ordered by cluster, so that
           // a check often ends all of a tile; other tables are plain
  clustered,  // encoded as plain ones and ordered by cluster, so that blocks of rows can be pruned as a whole
};

/// How codes of 8 bits must look for a kernel to read them.
struct CodeForm {
  std::int32_t levels, query_offset;
  std::uint64_t dimension_multiple, most_span_groups;
  std::uint64_t may_be_staged;  // 1 or 0

  static CodeForm of(const FilterKernel& kernel);
  friend bool operator==(const CodeForm&, const CodeForm&) = default;
};

/// The rows of an Int8Table where they lie, in memory or in a mapped file.
struct Int8Rows {
  std::span<const std::uint32_t> ids;         // the number in the table of each row; one for each row
  std::span<const std::int8_t> codes;         // panels x kPanelRows x codes
  std::span<const std::int32_t> corrections;  // panels x spans x kPanelRows
  std::span<const float> scale, lead, slack;  // panels x kPanelRows
  std::span<const float> tails;               // panels x checks x kPanelRows
};

/// The rows of a table that are not zero, as codes of 8 bits with all that the bounds need: about 0.28 of its size.
class Int8Table {
 public:
  Int8Table(ConstMatrixView table, const Kernels& kernels, TableLayout layout = TableLayout::staged);

  /// What it is made of beside the rows.
  struct Head {
    Int8Encoder::Parts encoder;
    bool reordered = false;
    int exponent = 0;
    double theta = 1;
  };
  /// As it was made before, by kernels with codes of the same form; the parts must fit together (fits()). `loader`,
  /// where there is one, brings the rows of the table.
  Int8Table(ConstMatrixView table, const Kernels& kernels, Head head, const Int8Rows& rows,
            std::shared_ptr<const void> owner, const RowLoader* loader);
  /// Whether sizes and numbers are those of an index over a table of that size, so that nothing can be read or written
  /// that is not there.
  static bool fits(const Head& head, const Int8Rows& rows, std::size_t table_rows, std::size_t table_cols,
                   const FilterKernel& kernel);
  Head head() const { return {encoder_.parts(), reordered_, exponent_, theta_}; }
  const Int8Rows& stored_rows() const { return rows_; }

  /// Its rows are to be brought before they are read; nullptr: they are there.
  const RowLoader* loader() const { return loader_; }
  ConstMatrixView table() const { return table_; }
  const Kernels& kernels() const { return *kernels_; }
  /// Rows here are numbered without the zero rows, in any order; this is their number in the table.
  std::size_t rows() const { return rows_.ids.size(); }
  std::uint32_t id_of(std::uint32_t row) const { return rows_.ids[row]; }
  std::size_t panels() const { return (rows() + kPanelRows - 1) / kPanelRows; }
  /// Parts of panels that the kernel can filter by themselves; panels, where it cannot.
  bool has_blocks() const { return kernels_->filter->block_rows > 0; }
  std::size_t block_rows() const { return has_blocks() ? kernels_->filter->block_rows : kPanelRows; }
  std::size_t blocks() const { return (rows() + block_rows() - 1) / block_rows(); }
  /// Whether the rows are in another order than in the table.
  bool reordered() const { return reordered_; }
  float slack_of(std::uint32_t row) const { return rows_.slack[row]; }
  /// How many checks a job has.
  std::size_t checks() const { return encoder_.checks(); }

  Int8Queries encode(ConstMatrixView queries) const;

  /// A unit in which the scores of all these queries are about 1 or less, a power of two; and whether it is not too far
  /// from the units of some of them (Int8Queries) to be multiplied by in float.
  double unit_for(ConstMatrixView queries) const;
  bool unit_fits(ConstMatrixView queries) const;

  /// The job of the queries over panels [begin, end), without checks; candidates are still to be set.
  FilterJob job(const Int8Queries& queries, const float* thresholds, std::size_t begin, std::size_t end) const;

 private:
  struct Made;  // the rows in memory of its own
  void sort_by_cluster(const Matrix& axes, std::size_t group, std::vector<std::uint32_t>& ids) const;
  std::vector<std::uint32_t> order_of(ConstMatrixView queries) const;
  void set_query(std::size_t position, const Int8Encoder::Block& block, std::size_t b, int exponent,
                 Int8Queries& result) const;
  void encode_panel(std::size_t panel, Made& made, Int8Encoder::Block& block) const;

  ConstMatrixView table_;
  const Kernels* kernels_;
  Int8Encoder encoder_;
  bool reordered_;
  int exponent_ = 0;  // all values below are in units of 2^exponent_
  double theta_ = 1;
  Int8Rows rows_;
  std::shared_ptr<const void> owner_;  // of what they show
  const RowLoader* loader_ = nullptr;
};

}  // namespace wordbridge
