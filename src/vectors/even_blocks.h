#pragma once
#include <cstddef>
#include <optional>

#include "linalg/blas.h"
#include "wordbridge/formats.h"

namespace wordbridge {

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
