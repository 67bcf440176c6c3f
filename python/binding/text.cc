#include "text.h"

namespace wordbridge::python {

namespace py = pybind11;

py::str to_str(std::string_view bytes) {
  PyObject* text = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape");
  if (text == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}

bool read_str(py::handle object, std::string& bytes) {
  if (!object || PyUnicode_Check(object.ptr()) == 0) return false;
  // The usual way, without a copy by the codec.
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(object.ptr(), &size)) {
    bytes.assign(data, static_cast<std::size_t>(size));
    return true;
  }
  PyErr_Clear();
  PyObject* encoded = PyUnicode_AsEncodedString(object.ptr(), "utf-8", "surrogateescape");
  if (encoded == nullptr) throw py::error_already_set();
  bytes = static_cast<std::string>(py::reinterpret_steal<py::bytes>(encoded));
  return true;
}

bool read_path(py::handle object, std::string& bytes) {
  if (!object) return false;
  const auto path = py::reinterpret_steal<py::object>(PyOS_FSPath(object.ptr()));
  if (!path) {
    PyErr_Clear();
    return false;
  }
  if (!read_str(path, bytes)) bytes = static_cast<std::string>(py::reinterpret_borrow<py::bytes>(path));
  if (bytes.find('\0') != std::string::npos) throw py::value_error("a path with a NUL character in it");
  if (bytes.empty()) throw py::value_error("an empty path");
  return true;
}

}  // namespace wordbridge::python
