#include "wordbridge/retrieval/table_search.h"

#include "wordbridge/neighbors/blas_search.h"
#include "wordbridge/neighbors/make_search.h"

namespace wordbridge {

namespace {

/// An index costs about as much as this many plain queries, whatever the size of the table: both grow with it.
constexpr std::size_t kWorthAnIndex = 1000;

}  // namespace

Neighbors TableSearch::search(ConstMatrixView queries, std::size_t k) {
  asked_ += queries.rows();
  if (!indexed_ && asked_ >= kWorthAnIndex) {
    indexed_ = make_search(table_);
    plain_.reset();
  }
  if (indexed_) return indexed_->search(queries, k);
  if (!plain_) plain_ = std::make_unique<BlasSearch>(table_);
  return plain_->search(queries, k);
}

}  // namespace wordbridge
