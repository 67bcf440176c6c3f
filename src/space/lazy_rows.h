#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "space/unit_rows.h"
#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// The rows of one side of a common space, brought there when they are first asked for: all of them, once, or a few,
/// because one word is translated without the vectors of all others of its language. For many threads at once.
class LazyRows {
 public:
  /// What a block of rows is in the common space: rows of length 1, each made of its own row. For many threads at once.
  using Bring = std::function<Matrix(Matrix block)>;

  explicit LazyRows(UnitRows rows);
  /// `dimension`: of the rows that `bring` makes. Where it is that of `raw`, no second table is needed.
  LazyRows(Matrix raw, std::size_t dimension, Bring bring);
  LazyRows(const LazyRows&) = delete;
  LazyRows& operator=(const LazyRows&) = delete;

  std::size_t size() const { return size_; }
  std::size_t dimension() const { return dimension_; }
  /// UsageError where rows do not come to length 1.
  const UnitRows& all() const;
  /// The rows of some words, the same bits as in all(), without making all while that is more work.
  Matrix some(std::span<const WordId> words) const;

 private:
  std::size_t blocks() const;
  void bring_all() const;
  Matrix brought(std::size_t block) const;

  std::size_t size_, dimension_;
  Bring bring_;
  mutable std::mutex mutex_;                     // of all that follows, but for what made_ points to
  mutable std::shared_ptr<Matrix> raw_, table_;  // the same one where there is no second table
  mutable std::vector<char> done_;               // blocks that are in table_
  mutable std::vector<RowLengths> lengths_;      // of these
  mutable std::size_t asked_ = 0;                // blocks brought by some()
  mutable UnitRows rows_;                        // all, once they are there
  mutable std::atomic<const UnitRows*> made_{nullptr};
};

}  // namespace wordbridge
