#pragma once
#include <cstddef>

// The kernels are compiled for more than every machine has, so this includes nothing with code in it (kernels.h).

namespace wordbridge {

/// Loops over a row. Lengths are in double (squares of floats neither overflow nor vanish there), over 8 lanes whose
/// order is fixed: lane l sums the elements j = l mod 8, so that sums need not wait for each other; then l takes l + 4,
/// l + 2, l + 1. All kernels give the same bits.
struct RowKernel {
  double (*squared_length)(const float* row, std::size_t size);
  /// Brings a row to length 1; one that is zero stays.
  void (*to_unit)(float* row, std::size_t size);
};

extern const RowKernel kPortableRows;
extern const RowKernel kAvx2Rows;  // on x86-64 only

/// The fastest of this machine.
const RowKernel& row_kernel();

/// Whether so many values are finite numbers: their squares do not overflow in double.
bool all_finite(const float* values, std::size_t size);

}  // namespace wordbridge
