#pragma once
#include <algorithm>
#include <cstdint>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

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

/// A table whose rows are sharded over the processes of a job: the own ones, and the way to the others. A whole table
/// is one of a single shard, so that what stands above is written once.
struct ShardedRows {
  ConstMatrixView own;
  std::size_t rows = 0;                  // of all processes
  Communicator* communicator = nullptr;  // nullptr: there is one process

  static ShardedRows whole(ConstMatrixView table) { return {table, table.rows(), nullptr}; }
  bool is_whole() const { return communicator == nullptr || communicator->size() == 1; }
  RowShards shards() const { return is_whole() ? RowShards() : RowShards(*communicator); }

  /// The rows with these numbers, in their order, on all processes, which must all ask for the same ones.
  Matrix gather(std::span<const std::uint32_t> numbers) const;
  /// The same for all rows of [begin, end).
  Matrix gather_range(std::size_t begin, std::size_t end) const;

  /// What each process gives, by rank, everywhere.
  template <class T>
  std::vector<std::vector<T>> exchange(std::vector<T> mine) const {
    if (!is_whole()) return communicator->all_gather_values<T>(mine);
    std::vector<std::vector<T>> all;
    all.push_back(std::move(mine));
    return all;
  }
  /// Whether it holds for all processes.
  bool all(bool mine) const;
};

/// Rows of a table that are at hand: those of a whole table, or copies of those that were fetched from other processes.
class FetchedRows {
 public:
  /// The table must outlive this.
  explicit FetchedRows(const ShardedRows& table);

  /// Fetches what is missing; all processes ask for the same rows.
  void fetch(std::span<const std::vector<std::uint32_t>> lists);
  ConstMatrixView rows() const { return table_.is_whole() ? table_.own : ConstMatrixView(fetched_); }
  /// The places among rows() of those numbers, which are at hand.
  std::vector<std::vector<std::uint32_t>> places(std::vector<std::vector<std::uint32_t>> lists) const;

 private:
  static constexpr std::uint32_t kAbsent = 0xFFFFFFFF;

  ShardedRows table_;
  Matrix fetched_;
  std::vector<std::uint32_t> places_;  // by number, where the table is not whole
};

}  // namespace wordbridge
