#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "parallel/communicator.h"

namespace wordbridge {

/// Rows of a block: those of a content checksum and of a .wbvec file, and whole chunks of everything that is summed or
/// multiplied chunk by chunk, so that all of these come out the same, whoever holds a block.
inline constexpr std::size_t kShardRows = 8192;

/// How the rows of a table are dealt out to the processes of a job: blocks of kShardRows rows, in turn. So all have
/// their part of frequent words, and nobody need know how many rows there will be. The own rows of a process stand in
/// the order of their numbers.
class RowShards {
 public:
  RowShards() = default;
  RowShards(int rank, int size) : rank_(static_cast<std::size_t>(rank)), size_(static_cast<std::size_t>(size)) {}
  explicit RowShards(const Communicator& communicator) : RowShards(communicator.rank(), communicator.size()) {}

  std::size_t owner(std::size_t row) const { return row / kShardRows % size_; }
  bool owns(std::size_t row) const { return owner(row) == rank_; }
  /// Where a row stands among those of its owner.
  std::size_t place(std::size_t row) const { return row / kShardRows / size_ * kShardRows + row % kShardRows; }
  /// The number of the own row that stands there.
  std::size_t number(std::size_t place) const {
    return (place / kShardRows * size_ + rank_) * kShardRows + place % kShardRows;
  }
  /// How many of the first `rows` rows are own.
  std::size_t own_of(std::size_t rows) const {
    const std::size_t round = size_ * kShardRows, rest = rows % round, before = rank_ * kShardRows;
    return rows / round * kShardRows + std::min(kShardRows, rest - std::min(rest, before));
  }

 private:
  std::size_t rank_ = 0, size_ = 1;
};

}  // namespace wordbridge
