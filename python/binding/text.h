#pragma once
#include <pybind11/pybind11.h>

#include <string>
#include <string_view>
#include <utility>

namespace wordbridge::python {

/// A word or another text on its way to Python and back. Words are bytes, usually UTF-8; a byte that is not becomes a
/// lone surrogate, as in file names (PEP 383), so that every word comes back as it was.
struct Text {
  std::string bytes;
};

/// The path of a file: str, bytes or anything with __fspath__; ValueError where it holds a NUL.
struct Path {
  std::string bytes;
};

pybind11::str to_str(std::string_view bytes);
/// False, without a Python error, where the object is no str.
bool read_str(pybind11::handle object, std::string& bytes);
/// False where it is no path.
bool read_path(pybind11::handle object, std::string& bytes);

}  // namespace wordbridge::python

namespace pybind11::detail {

template <>
struct type_caster<wordbridge::python::Text> {
  PYBIND11_TYPE_CASTER(wordbridge::python::Text, const_name("str"));

  bool load(handle object, bool) { return wordbridge::python::read_str(object, value.bytes); }
  static handle cast(const wordbridge::python::Text& text, return_value_policy, handle) {
    return wordbridge::python::to_str(text.bytes).release();
  }
};

template <>
struct type_caster<wordbridge::python::Path> {
  PYBIND11_TYPE_CASTER(wordbridge::python::Path, const_name("os.PathLike"));

  bool load(handle object, bool) { return wordbridge::python::read_path(object, value.bytes); }
  static handle cast(const wordbridge::python::Path& path, return_value_policy, handle) {
    return wordbridge::python::to_str(path.bytes).release();
  }
};

}  // namespace pybind11::detail
