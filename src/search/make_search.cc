#include "search/make_search.h"

#include "search/blas_search.h"
#include "search/int8_search.h"

namespace wordbridge {

bool int8_filter_is_fast() { return &kernels() != &find_kernels("portable"); }

std::unique_ptr<NeighborSearch> make_search(ConstMatrixView table, std::size_t expected_queries) {
  if (int8_filter_is_fast() && expected_queries >= kQueriesWorthAnIndex) return std::make_unique<Int8Search>(table);
  return std::make_unique<BlasSearch>(table);
}

std::unique_ptr<NeighborSearch> make_search_for_moving(ConstMatrixView table) {
  if (!int8_filter_is_fast()) return std::make_unique<BlasSearch>(table);
  const bool blocks = kernels().filter->block_rows > 0;  // otherwise every call is a scan
  return std::make_unique<Int8Search>(table, kernels(), blocks ? TableLayout::clustered : TableLayout::staged);
}

}  // namespace wordbridge
