#include "linalg/blas.h"

#include <cblas.h>

#include <algorithm>
#include <mutex>
#include <type_traits>
#include <vector>

#include "linalg/blas_core.h"
#include "parallel/thread_pool.h"

namespace wordbridge {

namespace {

int as_int(std::size_t n) { return static_cast<int>(n); }

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, std::size_t m, std::size_t n, std::size_t k, const float* a,
          std::size_t lda, const float* b, std::size_t ldb, float beta, float* c, std::size_t ldc) {
  cblas_sgemm(CblasRowMajor, ta, tb, as_int(m), as_int(n), as_int(k), 1.0f, a, as_int(lda), b, as_int(ldb), beta, c,
              as_int(ldc));
}

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, std::size_t m, std::size_t n, std::size_t k, const double* a,
          std::size_t lda, const double* b, std::size_t ldb, double beta, double* c, std::size_t ldc) {
  cblas_dgemm(CblasRowMajor, ta, tb, as_int(m), as_int(n), as_int(k), 1.0, a, as_int(lda), b, as_int(ldb), beta, c,
              as_int(ldc));
}

/// C = A op(B) over blocks of rows of A; `n` is the width of C.
template <class T>
BasicMatrix<T> by_row_blocks(BasicView<const T> a, BasicView<const T> b, CBLAS_TRANSPOSE tb, std::size_t n) {
  prepare_blas();
  BasicMatrix<T> c = BasicMatrix<T>::uninitialized(a.rows(), n);
  if (c.empty()) return c;
  if (a.cols() == 0) return BasicMatrix<T>(a.rows(), n);
  ThreadPool::current().for_chunks(a.rows(), kProductRows, [&](std::size_t begin, std::size_t end, int) {
    gemm(CblasNoTrans, tb, end - begin, n, a.cols(), a.row(begin).data(), a.stride(), b.data(), b.stride(), T{0},
         c.row(begin).data(), n);
  });
  return c;
}

/// Aᵀ B in double: blocks of rows in parallel within a group, then added up in order.
template <class T>
MatrixD sum_over_rows(BasicView<const T> a, BasicView<const T> b) {
  assert(a.rows() == b.rows());
  prepare_blas();
  constexpr std::size_t kGroup = 8;
  MatrixD total(a.cols(), b.cols());
  if (total.empty()) return total;
  std::vector<MatrixD> parts(kGroup);
  for (std::size_t start = 0; start < a.rows(); start += kGroup * kProductRows) {
    const std::size_t stop = std::min(a.rows(), start + kGroup * kProductRows);
    ThreadPool::current().for_chunks(stop - start, kProductRows, [&](std::size_t begin, std::size_t end, int) {
      MatrixD& part = parts[begin / kProductRows];
      part = MatrixD::uninitialized(a.cols(), b.cols());
      const auto left = a.slice(start + begin, start + end), right = b.slice(start + begin, start + end);
      if constexpr (std::is_same_v<T, double>) {
        gemm(CblasTrans, CblasNoTrans, a.cols(), b.cols(), end - begin, left.data(), left.stride(), right.data(),
             right.stride(), 0.0, part.data(), b.cols());
      } else {
        const MatrixD left_d = to_double(left), right_d = to_double(right);
        gemm(CblasTrans, CblasNoTrans, a.cols(), b.cols(), end - begin, left_d.data(), a.cols(), right_d.data(),
             b.cols(), 0.0, part.data(), b.cols());
      }
    });
    for (std::size_t block = 0; block * kProductRows < stop - start; ++block)
      for (std::size_t i = 0; i < total.size(); ++i) total.data()[i] += parts[block].data()[i];
  }
  return total;
}

}  // namespace

void prepare_blas() {
  static std::once_flag once;
  std::call_once(once, choose_blas_core);
}

Matrix multiply_abt(ConstMatrixView a, ConstMatrixView b) {
  assert(a.cols() == b.cols());
  return by_row_blocks(a, b, CblasTrans, b.rows());
}
MatrixD multiply_abt(ConstMatrixViewD a, ConstMatrixViewD b) {
  assert(a.cols() == b.cols());
  return by_row_blocks(a, b, CblasTrans, b.rows());
}
Matrix multiply(ConstMatrixView a, ConstMatrixView b) {
  assert(a.cols() == b.rows());
  return by_row_blocks(a, b, CblasNoTrans, b.cols());
}
MatrixD multiply(ConstMatrixViewD a, ConstMatrixViewD b) {
  assert(a.cols() == b.rows());
  return by_row_blocks(a, b, CblasNoTrans, b.cols());
}
MatrixD multiply_atb(ConstMatrixView a, ConstMatrixView b) { return sum_over_rows(a, b); }
MatrixD multiply_atb(ConstMatrixViewD a, ConstMatrixViewD b) { return sum_over_rows(a, b); }

std::vector<float> multiply(ConstMatrixView a, std::span<const float> x) {
  assert(a.cols() == x.size());
  prepare_blas();
  std::vector<float> result(a.rows(), 0.0f);
  if (a.empty()) return result;
  ThreadPool::current().for_chunks(a.rows(), kProductRows, [&](std::size_t begin, std::size_t end, int) {
    cblas_sgemv(CblasRowMajor, CblasNoTrans, as_int(end - begin), as_int(a.cols()), 1.0f, a.row(begin).data(),
                as_int(a.stride()), x.data(), 1, 0.0f, result.data() + begin, 1);
  });
  return result;
}

std::vector<float> multiply_transposed(ConstMatrixView a, std::span<const float> x) {
  assert(a.rows() == x.size());
  prepare_blas();
  std::vector<float> result(a.cols(), 0.0f);
  if (a.empty()) return result;
  ThreadPool::current().for_chunks(a.cols(), kProductRows, [&](std::size_t begin, std::size_t end, int) {
    cblas_sgemv(CblasRowMajor, CblasTrans, as_int(a.rows()), as_int(end - begin), 1.0f, a.data() + begin,
                as_int(a.stride()), x.data(), 1, 0.0f, result.data() + begin, 1);
  });
  return result;
}

namespace {

void abt_on_this_thread(ConstMatrixView a, ConstMatrixView b, float beta, MatrixView c) {
  assert(a.cols() == b.cols() && c.rows() == a.rows() && c.cols() == b.rows());
  prepare_blas();
  if (c.empty()) return;
  gemm(CblasNoTrans, CblasTrans, a.rows(), b.rows(), a.cols(), a.data(), a.stride(), b.data(), b.stride(), beta,
       c.data(), c.stride());
}

}  // namespace

void multiply_abt_into(ConstMatrixView a, ConstMatrixView b, MatrixView c) { abt_on_this_thread(a, b, 0, c); }
void add_abt_to(ConstMatrixView a, ConstMatrixView b, MatrixView c) { abt_on_this_thread(a, b, 1, c); }

const char* blas_core_name() {
  prepare_blas();
  return openblas_get_corename();
}

}  // namespace wordbridge
