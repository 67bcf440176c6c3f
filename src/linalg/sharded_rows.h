#pragma once
#include <cstdint>
#include <span>

#include "parallel/row_shards.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// A table whose rows are dealt out to the processes of a job: the own ones, and the way to the others.
struct ShardedRows {
  ConstMatrixView own;
  std::size_t rows = 0;  // of all processes
  Communicator* communicator = nullptr;

  RowShards shards() const { return RowShards(*communicator); }

  /// The rows with these numbers, in their order, on all processes, which must all ask for the same ones.
  Matrix gather(std::span<const std::uint32_t> numbers) const;
  /// The same for all rows of [begin, end).
  Matrix gather_range(std::size_t begin, std::size_t end) const;
};

}  // namespace wordbridge
