#pragma once
#include <pybind11/pybind11.h>

namespace wordbridge::python {

void bind_entry(pybind11::module_& module);

}  // namespace wordbridge::python
