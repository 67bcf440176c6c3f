#include "search/warm_start/block_bounds.h"

#include <algorithm>

namespace wordbridge {

void QuerySlots::grow(std::size_t count) {
  if (count <= slots_.size()) return;
  const std::size_t before = slots_.size(), added = count - before;
  if (blocks_ > 0) {
    queries_.push_back(Matrix::uninitialized(added, dimension_));
    levels_.push_back(BasicMatrix<std::uint8_t>::uninitialized(added, blocks_));
  }
  slots_.resize(count);
  for (std::size_t i = 0; i < added && blocks_ > 0; ++i) {
    slots_[before + i].query = queries_.back().row(i);
    slots_[before + i].bounds = BlockBounds(levels_.back().row(i));
  }
}

void QuerySlots::copy(std::size_t slot, const QuerySlot& theirs, bool only_answer) {
  QuerySlot& own = slots_[slot];
  own.best = theirs.best;
  own.bounds.forget();
  if (only_answer || !theirs.bounds.known()) return;
  std::ranges::copy(theirs.query, own.query.begin());
  own.bounds.assign(theirs.bounds);
}

void QuerySlots::clear() {
  slots_.clear();
  queries_.clear();
  levels_.clear();
}

}  // namespace wordbridge
