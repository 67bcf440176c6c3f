#pragma once
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

}  // namespace wordbridge
