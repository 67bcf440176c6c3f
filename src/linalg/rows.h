#pragma once
#include <algorithm>
#include <cstdint>
#include <ranges>
#include <span>

#include "parallel/communicator.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// The rows with these numbers, in their order; in double if asked for.
template <class To = float, std::ranges::contiguous_range Numbers>
BasicMatrix<To> gather_rows(ConstMatrixView table, const Numbers& numbers) {
  BasicMatrix<To> rows = BasicMatrix<To>::uninitialized(numbers.size(), table.cols());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    std::copy_n(table.row(numbers[i]).data(), table.cols(), rows.row(i).data());
  return rows;
}
template <std::ranges::contiguous_range Numbers>
MatrixD gather_rows(ConstMatrixViewD table, const Numbers& numbers) {
  MatrixD rows = MatrixD::uninitialized(numbers.size(), table.cols());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    std::copy_n(table.row(numbers[i]).data(), table.cols(), rows.row(i).data());
  return rows;
}

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
