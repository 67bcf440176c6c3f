#pragma once
#include <pybind11/pybind11.h>

namespace wordbridge::python {

void bind_adapt(pybind11::module_& module);

}  // namespace wordbridge::python
