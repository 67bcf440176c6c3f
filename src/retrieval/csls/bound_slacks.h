#pragma once
#include <cstddef>

#include "space/table_search.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// What the bounds of lazy CSLS need to know of the rows of a table.
struct RowNorms {
  double largest = 0;        // at least the largest norm
  std::size_t eligible = 0;  // rows that are not zero
};
RowNorms row_norms(ConstMatrixView table);
/// Of the table of a search, which may know them.
RowNorms row_norms(const TableSearch& search);

/// How far a mean of k products in float may be above r_s(y), the mean of the k largest scores of sources s with y:
/// `largest_source` and `largest_target` bound |s| and |y|, d is their dimension. Infinite where products may overflow.
///
/// Each fp32 product is within fp32_slack(d) of such a score. For a mean vector A of k sources, <A, y> in real numbers
/// is the mean of the real products, each within a rounding u of the float score; A was rounded to float (u |A| |y|,
/// |A| <= max|s|, or denormals); and the fp32 product is within fp32_slack(d): together less than fp32_slack(d + 4).
/// Sums of k doubles lose k 2^-53.
double mean_slack(std::size_t d, std::size_t k, double largest_source, double largest_target);

/// How far 2 <q, y> - (r_t(q) + r_s(y)) may be above what products in float and a few roundings in double make of it,
/// for a query of a norm of at most `query_norm`.
double score_slack(std::size_t d, double query_norm, double largest_source, double largest_target);

}  // namespace wordbridge
