#include "wordbridge/retrieval/table_search.h"

#include "wordbridge/neighbors/blas_search.h"
#include "wordbridge/neighbors/make_search.h"

namespace wordbridge {

namespace {

/// An index costs about as much as this many plain queries, whatever the size of the table: both grow with it.
constexpr std::size_t kWorthAnIndex = 1000;

}  // namespace

const NeighborSearch& TableSearch::search_for(std::size_t queries) {
  asked_ += queries;
  if (!indexed_ && asked_ >= kWorthAnIndex) {
    indexed_ = make_search(table_);
    plain_.reset();
  }
  if (indexed_) return *indexed_;
  if (!plain_) plain_ = std::make_unique<BlasSearch>(table_);
  return *plain_;
}

Neighbors TableSearch::search(ConstMatrixView queries, std::size_t k) {
  return search_for(queries.rows()).search(queries, k);
}

Neighbors TableSearch::search_above(ConstMatrixView queries, std::size_t k, std::span<const float> floors) {
  return search_for(queries.rows()).search_above(queries, k, floors);
}

std::optional<RangeSearchResult> TableSearch::range_search(ConstMatrixView queries, std::span<const double> thresholds,
                                                           std::span<const float> offsets, std::size_t most) {
  return search_for(queries.rows()).range_search(queries, thresholds, offsets, most);
}

}  // namespace wordbridge
