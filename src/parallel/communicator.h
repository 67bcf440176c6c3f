#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace wordbridge {

/// Several processes that do one job together, each with a rank. All of them make the same calls in the same order,
/// each from one thread at a time. Whatever they compute has the same bits for any number of ranks: sums are made of
/// chunks that do not depend on it, added in their order.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;  // from 0 to size() - 1
  virtual int size() const = 0;
  bool is_first() const { return rank() == 0; }

  /// What the process of rank `root` gives, everywhere.
  virtual std::string broadcast(std::string bytes, int root = 0) = 0;
  /// What each gives, by rank, everywhere. Nobody goes on before all are here.
  virtual std::vector<std::string> all_gather(const std::string& bytes) = 0;
  void wait_for_all() { all_gather({}); }
  /// The same for plain values.
  template <class T>
  std::vector<std::vector<T>> all_gather_values(std::span<const T> own) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::vector<T>> all;
    for (const std::string& bytes : all_gather({reinterpret_cast<const char*>(own.data()), own.size_bytes()})) {
      std::vector<T>& values = all.emplace_back(bytes.size() / sizeof(T));
      if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    }
    return all;
  }

  /// The chunk that a process has summed up, and its number among all chunks of the job.
  struct Chunk {
    std::size_t number = 0;
    std::vector<double> sums;
  };
  /// The sum of the chunks of all processes, added in the order of their numbers: the same bits whoever holds which.
  /// Every number comes once; all chunks have the same size. UsageError where that is not so.
  std::vector<double> sum_in_order(std::span<const Chunk> own);
};

/// One process alone.
class LocalCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string broadcast(std::string bytes, int) override { return bytes; }
  std::vector<std::string> all_gather(const std::string& bytes) override { return {bytes}; }
};

/// Rows of a block: those of a content checksum and of a .wbvec file, and whole chunks of everything that is summed or
/// multiplied chunk by chunk, so that all of these come out the same, whoever holds a block.
inline constexpr std::size_t kShardRows = 8192;

/// How the rows of a table are sharded over the processes of a job: blocks of kShardRows rows, in turn. So all have
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
