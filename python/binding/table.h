#pragma once
#include <pybind11/pybind11.h>

#include <memory>
#include <utility>

#include "wordbridge/matrix.h"

namespace wordbridge::python {

/// Rows of floats that NumPy looks at through the buffer protocol, without a copy: whoever holds the array holds them.
class Table {
 public:
  /// Rows of its own, which may be written to.
  explicit Table(Matrix rows);
  /// Rows within something that `owner` keeps alive, to be read only.
  Table(ConstMatrixView rows, std::shared_ptr<const void> owner)
      : rows_(rows), owner_(std::move(owner)), writable_(false) {}

  ConstMatrixView rows() const { return rows_; }
  pybind11::buffer_info buffer() const;

 private:
  ConstMatrixView rows_;
  std::shared_ptr<const void> owner_;
  bool writable_;
};

/// float32 rows without gaps of an object that has the buffer protocol; they stay valid as long as this lives.
class FloatRows {
 public:
  /// TypeError where the object holds something else, which callers in Python have converted before.
  explicit FloatRows(const pybind11::buffer& object);

  ConstMatrixView view() const { return view_; }
  /// The rows as a matrix that shares the memory with the object. Nobody may write to it.
  Matrix shared() const;

 private:
  std::shared_ptr<pybind11::buffer_info> info_;  // its last owner gives it back, holding the interpreter
  ConstMatrixView view_;
};

/// UsageError, naming the first row, where a value is not finite. `what` stands before the number of the row.
void require_finite(ConstMatrixView rows, const char* what);

void bind_table(pybind11::module_& module);

}  // namespace wordbridge::python
