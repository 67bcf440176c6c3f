#include "space/table_search.h"

#include <cstdint>
#include <vector>

#include "search/blas_search.h"
#include "search/neighbor_search.h"

namespace wordbridge {

TableSearch::~TableSearch() = default;

const NeighborSearch& TableSearch::search_for(std::size_t queries) const {
  const bool many = load_ || (asked_ += queries) >= kQueriesWorthAnIndex;
  if (const NeighborSearch* indexed = indexed_.made.load()) return *indexed;
  Part& wanted = many ? indexed_ : plain_;
  if (const NeighborSearch* made = wanted.made.load()) return *made;
  const std::lock_guard lock(making_);
  if (!wanted.search) wanted.search = make(many);
  wanted.made.store(wanted.search.get());
  return *wanted.search;
}

std::unique_ptr<const NeighborSearch> TableSearch::make(bool many) const {
  if (load_) return load_();
  if (many || !unit_rows_) return make_search(table(), many ? kQueriesWorthAnIndex : 1);
  std::vector<std::uint8_t> is_zero(table_.rows());
  for (std::size_t i = 0; i < is_zero.size(); ++i) is_zero[i] = unit_rows_->is_zero(static_cast<WordId>(i));
  return std::make_unique<BlasSearch>(table(), std::move(is_zero), unit_rows_->largest_norm());
}

Neighbors TableSearch::search(ConstMatrixView queries, std::size_t k) const {
  return search_for(queries.rows()).search(queries, k);
}

Neighbors TableSearch::search_above(ConstMatrixView queries, std::size_t k, std::span<const float> lower_bounds) const {
  return search_for(queries.rows()).search_above(queries, k, lower_bounds);
}

std::optional<RangeSearchResult> TableSearch::range_search(ConstMatrixView queries, std::span<const double> thresholds,
                                                           std::span<const float> offsets, std::size_t most) const {
  return search_for(queries.rows()).range_search(queries, thresholds, offsets, most);
}

}  // namespace wordbridge
