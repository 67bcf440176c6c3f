#include "wordbridge/retrieval/table_search.h"

#include "wordbridge/neighbors/blas_search.h"
#include "wordbridge/neighbors/make_search.h"
#include "wordbridge/neighbors/search_from_floors.h"

namespace wordbridge {

namespace {

/// An index costs about as much as this many plain queries, whatever the size of the table: both grow with it.
constexpr std::size_t kWorthAnIndex = 1000;
/// Rows a query above its floor, on average, that are still fewer than what a search would look at.
constexpr std::size_t kMostAboveFloor = 512;

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

Neighbors TableSearch::search(ConstMatrixView queries, std::size_t k, std::span<const double> floors) {
  const NeighborSearch& search = search_for(queries.rows());
  std::optional<Neighbors> found = search_from_floors(search, queries, k, floors, kMostAboveFloor * queries.rows());
  return found ? std::move(*found) : search.search(queries, k);
}

std::optional<ReachingRows> TableSearch::reaching(ConstMatrixView queries, std::span<const double> thresholds,
                                                  std::span<const float> offsets, std::size_t most) {
  return search_for(queries.rows()).reaching(queries, thresholds, offsets, most);
}

}  // namespace wordbridge
