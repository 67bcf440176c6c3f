#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/warm_start/block_bounds.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// What is known of a query that comes again.
struct QuerySlot {
  std::span<float> query;  // of the bounds
  BlockBounds bounds;
  std::vector<std::uint32_t> best;  // the answer of the last call
};

/// Queries by their numbers. Their vectors and bounds lie in large pieces of memory: in small ones, scattered among
/// what each call needs for a while, they would keep that from being used again.
class QuerySlots {
 public:
  /// Queries of so many dimensions; `blocks` of rows that have bounds. Without any, only answers are kept.
  QuerySlots(std::size_t dimension, std::size_t blocks) : dimension_(dimension), blocks_(blocks) {}

  std::size_t size() const { return slots_.size(); }
  QuerySlot& operator[](std::size_t slot) { return slots_[slot]; }
  const QuerySlot& operator[](std::size_t slot) const { return slots_[slot]; }

  /// At least `count` slots; of the new ones nothing is known. Whatever there was stays where it is.
  void grow(std::size_t count);
  /// Knows what another knows of its slot `theirs`, or only the answer. Both are of the same dimension and blocks.
  void copy(std::size_t slot, const QuerySlot& theirs, bool only_answer);
  void clear();

 private:
  std::size_t dimension_, blocks_;
  std::vector<QuerySlot> slots_;
  std::vector<Matrix> queries_;
  std::vector<BasicMatrix<std::uint8_t>> levels_;
};

}  // namespace wordbridge
