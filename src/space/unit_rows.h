#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "linalg/row_loader.h"
#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// The lengths of some rows: those that are not zero have lengths from `least` to `largest`, which are bounds from
/// above by some roundings.
struct RowLengths {
  double largest = 0, least = std::numeric_limits<double>::infinity();
  std::vector<WordId> zeros;

  /// The first of the rows has this number.
  static RowLengths of(ConstMatrixView rows, std::size_t first);
  /// Of rows that follow these.
  void append(const RowLengths& next);
};

/// A table of word vectors of length 1, but for rows that are zero: words without a vector, which take part in nothing.
/// Whoever copies it shares the rows; nobody changes them.
class UnitRows {
 public:
  UnitRows() = default;
  /// Brings the rows to length 1; zero rows stay.
  static UnitRows normalized(Matrix rows);
  /// Rows of length 1 as they are. UsageError where one is of another length.
  static UnitRows take(Matrix rows);
  /// The same for rows that somebody else owns and leaves alone as long as `owner` lives (nullptr: as long as this).
  static UnitRows view(ConstMatrixView rows, std::shared_ptr<const void> owner = nullptr);
  /// The same for rows whose lengths were measured when they were made.
  static UnitRows view(ConstMatrixView rows, std::shared_ptr<const void> owner, const RowLengths& lengths);
  /// The same for rows that `loader` brings when they are first read.
  static UnitRows loaded(ConstMatrixView rows, std::shared_ptr<const RowLoader> loader, const RowLengths& lengths);
  /// A view where the rows have length 1, else a normalized copy.
  static UnitRows of(ConstMatrixView rows);

  ConstMatrixView rows() const {
    if (loader_) loader_->bring_all();
    return rows_;
  }
  /// Where they lie; nobody has brought them yet.
  ConstMatrixView unread() const { return rows_; }
  /// What brings them; nullptr where they are there.
  const RowLoader* loader() const { return loader_.get(); }
  std::size_t size() const { return rows_.rows(); }
  std::size_t dimension() const { return rows_.cols(); }
  std::span<const float> operator[](WordId row) const {
    if (loader_) loader_->bring(row);
    return rows_.row(row);
  }
  /// Some of them, in this order; the others are left alone.
  Matrix gather(std::span<const WordId> words) const;

  bool is_zero(WordId row) const { return nonzero_ < size() && zero_[row] != 0; }
  /// How many rows are not zero.
  std::size_t nonzero() const { return nonzero_; }
  /// At least as large as the norm of every row: a little more than 1, because floats are rounded.
  double largest_norm() const { return largest_norm_; }

 private:
  UnitRows(ConstMatrixView rows, std::shared_ptr<const void> owner, const RowLengths& lengths);

  ConstMatrixView rows_;
  std::shared_ptr<const void> owner_;
  std::shared_ptr<const RowLoader> loader_;
  std::vector<std::uint8_t> zero_;  // of each row; empty where none is zero
  std::size_t nonzero_ = 0;
  double largest_norm_ = 0;
};

}  // namespace wordbridge
