#include "table.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>

#include "parallel/thread_pool.h"
#include "wordbridge/error.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

constexpr auto kFloat = static_cast<py::ssize_t>(sizeof(float));

py::buffer_info to_buffer(ConstMatrixView rows, bool writable) {
  static float nothing = 0;  // an address for tables without rows
  float* data = rows.empty() ? &nothing : const_cast<float*>(rows.data());
  const auto stride = static_cast<py::ssize_t>(rows.stride() * sizeof(float));
  return py::buffer_info(data, kFloat, py::format_descriptor<float>::format(), 2,
                         {static_cast<py::ssize_t>(rows.rows()), static_cast<py::ssize_t>(rows.cols())},
                         {stride, kFloat}, !writable);
}

/// Buffers may be given back by any thread, also by one of the library's.
void give_back(py::buffer_info* info) {
  if (Py_IsInitialized() == 0) return;  // the interpreter took everything with it
  const py::gil_scoped_acquire acquire;
  delete info;
}

}  // namespace

Table::Table(Matrix rows) : writable_(true) {
  auto owner = std::make_shared<const Matrix>(std::move(rows));
  rows_ = owner->view();
  owner_ = std::move(owner);
}

py::buffer_info Table::buffer() const { return to_buffer(rows_, writable_); }

FloatRows::FloatRows(const py::buffer& object) : info_(new py::buffer_info(object.request()), give_back) {
  const py::buffer_info& info = *info_;
  const bool floats = info.itemsize == kFloat && (info.format == "f" || info.format == "=f" || info.format == "<f");
  if (info.ndim != 2 || !floats) throw py::type_error("expected float32 in rows and columns");
  const bool dense = info.size == 0 || (info.strides[1] == kFloat &&
                                        (info.shape[0] == 1 || info.strides[0] == info.shape[1] * info.strides[1]));
  if (!dense || reinterpret_cast<std::uintptr_t>(info.ptr) % alignof(float) != 0)
    throw py::type_error("expected rows that follow each other without gaps");
  view_ = {static_cast<const float*>(info.ptr), static_cast<std::size_t>(info.shape[0]),
           static_cast<std::size_t>(info.shape[1])};
}

Matrix FloatRows::shared() const {
  return Matrix::adopt(const_cast<float*>(view_.data()), view_.rows(), view_.cols(), info_);
}

void require_finite(ConstMatrixView rows, const char* what) {
  constexpr std::size_t kRows = 4096;
  std::atomic<std::size_t> first = rows.rows();
  ThreadPool::current().for_chunks(rows.rows(), kRows, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      if (std::ranges::all_of(rows.row(i), [](float value) { return std::isfinite(value); })) continue;
      std::size_t known = first;
      while (i < known && !first.compare_exchange_weak(known, i)) {
      }
      return;
    }
  });
  if (first < rows.rows())
    throw UsageError(std::string(what) + " " + std::to_string(first.load()) +
                     " holds a value that is not a finite number");
}

void bind_table(py::module_& module) {
  py::class_<Table>(module, "Table", py::buffer_protocol()).def_buffer(&Table::buffer);
}

}  // namespace wordbridge::python
