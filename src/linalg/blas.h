#pragma once
#include <span>
#include <vector>

#include "wordbridge/matrix.h"

namespace wordbridge {

/// Products over whole tables are cut into blocks of so many rows. The last bits of a product depend on how many rows
/// are multiplied at once, so whoever cuts tables beforehand cuts at multiples of it.
inline constexpr std::size_t kProductRows = 1024;

// Products over OpenBLAS without threads of its own: large products are cut into fixed blocks of
// rows that the ThreadPool works off, so the result does not depend on the number of threads.

/// A Bᵀ: (m x d) (n x d)ᵀ = m x n. With a table and a map W this is "map every row".
Matrix multiply_abt(ConstMatrixView a, ConstMatrixView b);
MatrixD multiply_abt(ConstMatrixViewD a, ConstMatrixViewD b);
/// A B: (m x k) (k x n).
Matrix multiply(ConstMatrixView a, ConstMatrixView b);
MatrixD multiply(ConstMatrixViewD a, ConstMatrixViewD b);
/// Aᵀ B: (m x p)ᵀ (m x q) = p x q, summed over the rows in double whatever the type of the input.
MatrixD multiply_atb(ConstMatrixView a, ConstMatrixView b);
MatrixD multiply_atb(ConstMatrixViewD a, ConstMatrixViewD b);

/// A x: (m x n) times n numbers.
std::vector<float> multiply(ConstMatrixView a, std::span<const float> x);
/// Aᵀ x: (m x n)ᵀ times m numbers.
std::vector<float> multiply_transposed(ConstMatrixView a, std::span<const float> x);

/// C = A Bᵀ on the calling thread, into memory of the caller: the building block of the searches.
void multiply_abt_into(ConstMatrixView a, ConstMatrixView b, MatrixView c);
/// C += A Bᵀ, likewise. BLAS clears C before it overwrites it; who reads C anyway clears it for less in passing.
void add_abt_to(ConstMatrixView a, ConstMatrixView b, MatrixView c);

template <class T>
BasicMatrix<T> transpose(BasicView<const T> m) {
  BasicMatrix<T> result = BasicMatrix<T>::uninitialized(m.cols(), m.rows());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) result(j, i) = m(i, j);
  return result;
}
inline Matrix transpose(const Matrix& m) { return transpose<float>(m.view()); }
inline MatrixD transpose(const MatrixD& m) { return transpose<double>(m.view()); }

/// Called by everything here before BLAS or LAPACK is used: the kernels are those of the processor at hand
/// (blas_core.h).
void prepare_blas();

/// The name of the core for which OpenBLAS chose its kernels.
const char* blas_core_name();

}  // namespace wordbridge
