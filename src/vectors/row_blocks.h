#pragma once
#include <cstddef>
#include <optional>

#include "linalg/blas.h"
#include "wordbridge/formats.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// A table that grows row by row to a size nobody knew before, without ever being held twice: pages are moved, not
/// copied, and those that were never written take no memory.
class GrowingTable {
 public:
  explicit GrowingTable(std::size_t dimension) : dimension_(dimension) {}
  ~GrowingTable();
  GrowingTable(const GrowingTable&) = delete;
  GrowingTable& operator=(const GrowingTable&) = delete;

  void append(std::span<const float> row);
  /// Address space for so many rows; takes no memory yet.
  void reserve(std::size_t rows);
  std::size_t rows() const { return rows_; }
  /// The table, given back whole: nothing may be appended afterwards.
  Matrix take();

 private:
  void grow(std::size_t bytes);

  std::size_t dimension_, rows_ = 0, capacity_bytes_ = 0;
  float* data_ = nullptr;
};

/// The rows of a source in blocks whose size does not depend on how its reader cut them: text comes in blocks that
/// depend on the number of threads, other formats in blocks of their own. The last bits of a product of matrices depend
/// on how many rows are multiplied at once; so rows that are mapped a block at a time come from here, and come out with
/// the bits that they have in a whole table, whatever the format and the number of threads.
class EvenBlocks {
 public:
  /// Blocks hold a multiple of it.
  static constexpr std::size_t kUnit = kProductRows;

  explicit EvenBlocks(VectorSource& source) : EvenBlocks(source, usual_rows(source.dimension())) {}
  EvenBlocks(VectorSource& source, std::size_t rows) : source_(source), rows_(rows) {}

  /// The next rows, fewer than all others only at the end; nothing behind it.
  std::optional<VectorBlock> next();
  /// Of about 32 MB: enough for several threads, and bounded.
  static std::size_t usual_rows(std::size_t dimension);

 private:
  /// False at the end.
  bool fill();

  VectorSource& source_;
  std::size_t rows_;
  VectorBlock pending_;    // the block of the source that is being taken apart
  std::size_t taken_ = 0;  // of its rows
};

}  // namespace wordbridge
