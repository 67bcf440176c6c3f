#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace [[gnu::visibility("default")]] wordbridge {

// Storage convention, stated once for all of wordbridge:
//   - Matrices are row-major and dense; rows follow each other without gaps; the first element is 64-byte aligned.
//   - A table of word vectors has one row a word: X is N_s x d_s (source), Y is N_t x d_t (target), float32.
//   - A map W is d_t x d_s: a source vector x (a column) maps to W x, a whole table to X Wᵀ.

/// Rows of a row-major matrix that somebody else owns. `stride` is the distance between rows, in elements.
template <class T>
class BasicView {
 public:
  BasicView() = default;
  BasicView(T* data, std::size_t rows, std::size_t cols, std::size_t stride)
      : data_(data), rows_(rows), cols_(cols), stride_(stride) {}
  BasicView(T* data, std::size_t rows, std::size_t cols) : BasicView(data, rows, cols, cols) {}
  /// A view to be written may be used where one to be read is expected.
  operator BasicView<const T>() const { return {data_, rows_, cols_, stride_}; }

  T* data() const { return data_; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t stride() const { return stride_; }
  bool empty() const { return rows_ == 0 || cols_ == 0; }
  std::span<T> row(std::size_t i) const {
    assert(i < rows_);
    return {data_ + i * stride_, cols_};
  }
  T& operator()(std::size_t i, std::size_t j) const {
    assert(i < rows_ && j < cols_);
    return data_[i * stride_ + j];
  }
  /// Rows [begin, end).
  BasicView slice(std::size_t begin, std::size_t end) const {
    assert(begin <= end && end <= rows_);
    return {data_ + begin * stride_, end - begin, cols_, stride_};
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0, cols_ = 0, stride_ = 0;
};

/// Memory for so many bytes (a multiple of 64), 64-byte aligned, to be freed by std::free(); in huge pages where it is
/// large and the system has them. std::bad_alloc where there is none.
void* allocate_table(std::size_t bytes);

/// An owned matrix, zero at first. Its memory is its own, or adopted.
template <class T>
class BasicMatrix {
 public:
  BasicMatrix() = default;
  BasicMatrix(std::size_t rows, std::size_t cols) : BasicMatrix(uninitialized(rows, cols)) {
    std::fill_n(data_, size(), T{});
  }
  /// Without the zeros, for memory that is written before it is read.
  static BasicMatrix uninitialized(std::size_t rows, std::size_t cols) {
    // Shapes may come from files: a product that wraps around must not become a small allocation.
    constexpr std::size_t kMaxElements = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T) - 64;
    if (cols != 0 && rows > kMaxElements / cols) throw std::bad_alloc();
    const std::size_t bytes = (rows * cols * sizeof(T) + 63) / 64 * 64;
    if (bytes == 0) return adopt(nullptr, rows, cols, nullptr);
    T* data = static_cast<T*>(allocate_table(bytes));
    return adopt(data, rows, cols, std::shared_ptr<void>(data, std::free));
  }
  /// Takes memory that stays valid and writable as long as `owner` lives.
  static BasicMatrix adopt(T* data, std::size_t rows, std::size_t cols, std::shared_ptr<void> owner) {
    BasicMatrix matrix;
    matrix.data_ = data;
    matrix.rows_ = rows;
    matrix.cols_ = cols;
    matrix.owner_ = std::move(owner);
    return matrix;
  }
  static BasicMatrix copy_of(BasicView<const T> view) {
    BasicMatrix matrix = uninitialized(view.rows(), view.cols());
    for (std::size_t i = 0; i < view.rows(); ++i)
      std::copy_n(view.row(i).data(), view.cols(), matrix.data_ + i * view.cols());
    return matrix;
  }
  static BasicMatrix identity(std::size_t n) {
    BasicMatrix matrix(n, n);
    for (std::size_t i = 0; i < n; ++i) matrix(i, i) = T{1};
    return matrix;
  }

  BasicMatrix(const BasicMatrix& other) : BasicMatrix(copy_of(other.view())) {}
  BasicMatrix(BasicMatrix&& other) noexcept { swap(other); }
  BasicMatrix& operator=(BasicMatrix other) noexcept {
    swap(other);
    return *this;
  }
  ~BasicMatrix() = default;
  void swap(BasicMatrix& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(rows_, other.rows_);
    std::swap(cols_, other.cols_);
    std::swap(owner_, other.owner_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t size() const { return rows_ * cols_; }
  bool empty() const { return size() == 0; }
  std::span<T> row(std::size_t i) { return view().row(i); }
  std::span<const T> row(std::size_t i) const { return view().row(i); }
  T& operator()(std::size_t i, std::size_t j) { return view()(i, j); }
  const T& operator()(std::size_t i, std::size_t j) const { return view()(i, j); }
  std::span<T> elements() { return {data_, size()}; }
  std::span<const T> elements() const { return {data_, size()}; }

  BasicView<T> view() { return {data_, rows_, cols_}; }
  BasicView<const T> view() const { return {data_, rows_, cols_}; }
  operator BasicView<T>() { return view(); }
  operator BasicView<const T>() const { return view(); }
  /// The first `rows` rows; the memory of the others stays allocated.
  void truncate_rows(std::size_t rows) {
    assert(rows <= rows_);
    rows_ = rows;
  }

  friend bool operator==(const BasicMatrix& a, const BasicMatrix& b) {
    return a.rows_ == b.rows_ && a.cols_ == b.cols_ && std::equal(a.data_, a.data_ + a.size(), b.data_);
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0, cols_ = 0;
  std::shared_ptr<void> owner_;
};

using Matrix = BasicMatrix<float>;
using MatrixD = BasicMatrix<double>;
using MatrixView = BasicView<float>;
using ConstMatrixView = BasicView<const float>;
using MatrixViewD = BasicView<double>;
using ConstMatrixViewD = BasicView<const double>;

/// A word without a vector: no direction, and no neighbor of anything.
inline bool is_zero(std::span<const float> row) {
  return std::ranges::all_of(row, [](float value) { return value == 0; });
}

inline void scale(Matrix& m, double factor) {
  for (float& value : m.elements()) value = static_cast<float>(value * factor);
}

/// Element-wise conversion, rounding to nearest where narrowing.
inline Matrix to_float(ConstMatrixViewD m) {
  Matrix result = Matrix::uninitialized(m.rows(), m.cols());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) result(i, j) = static_cast<float>(m(i, j));
  return result;
}
inline MatrixD to_double(ConstMatrixView m) {
  MatrixD result = MatrixD::uninitialized(m.rows(), m.cols());
  for (std::size_t i = 0; i < m.rows(); ++i)
    for (std::size_t j = 0; j < m.cols(); ++j) result(i, j) = m(i, j);
  return result;
}

}  // namespace wordbridge
